export { createAgent, type Agent, type AgentEvents, type AgentOptions } from "./agent.ts";
export { agentDriver, type AgentDriver, type AgentDriverOptions } from "./agent-driver.ts";
export { agentMethod } from "./protocol.ts";
