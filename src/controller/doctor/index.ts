export { examineMachine, type ExamineOptions, type MachinePart } from "./examine-machine.ts";
