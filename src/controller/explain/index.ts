export { explain, type ExplainResult } from "./explain.ts";
export type { ExplainedState } from "./explained-state.ts";
export type { Explanation, Outcome, OutcomeBackend, Step, Walk } from "./explanation.ts";
export type { QuestionOptions } from "./question.ts";
