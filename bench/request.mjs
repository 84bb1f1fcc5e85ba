import { Agent, request } from "node:http";
import { pause } from "./process-cost.mjs";

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Status and headers of the answer; status 0 if there was none. */
export function ask(port, { address = "127.0.0.1", host, path = "/", headers = {} }) {
  return new Promise((resolve) => {
    request({ agent, host: address, port, path, headers: { host, ...headers } }, (response) => {
      response.resume();
      response.once("end", () => resolve({ status: response.statusCode, headers: response.headers }));
    })
      .once("error", () => resolve({ status: 0, headers: {} }))
      .end();
  });
}

/** Resolves when `isThere` says so of an answer. */
export async function untilAnswer(program, port, question, isThere) {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline;) {
    if (program.complaint) throw new Error(`the program has ended: ${program.complaint}`);
    const answer = await ask(port, question);
    if (isThere(answer)) return;
    await pause(answer.status === 0 ? 5 : 0.5);
  }
  throw new Error(`no answer in time: ${JSON.stringify(question)}`);
}
