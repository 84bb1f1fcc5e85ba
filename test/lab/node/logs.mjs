// What a container says: line by line with its time, the last lines in memory (`kubectl logs`), all in a file (for people
// who look for a cause), which does not grow for ever.

import { EventEmitter } from "node:events";
import { createWriteStream } from "node:fs";

const linesKept = 20_000;
const fileLimit = 20 * 2 ** 20;

export function containerLog(file) {
  const lines = [];
  const events = new EventEmitter().setMaxListeners(0);
  const stream = createWriteStream(file, { flags: "a" }).on("error", () => {});
  let dropped = 0; // how many lines are no longer in memory
  let written = 0;

  const add = (text) => {
    const line = { time: new Date(), text };
    lines.push(line);
    if (lines.length > linesKept * 1.5) dropped += lines.splice(0, lines.length - linesKept).length;
    if (written < fileLimit) stream.write(`${line.time.toISOString()} ${text}\n`);
    written += text.length;
    events.emit("line");
  };
  /** Feeds from a stream; resolves at its end. */
  const addStream = (source) =>
    new Promise((resolve) => {
      let rest = "";
      source.setEncoding("utf8").on("data", (text) => {
        const parts = (rest + text).split("\n");
        rest = parts.pop();
        for (const part of parts) add(part);
      });
      source.on("close", () => {
        if (rest) add(rest);
        resolve();
      });
    });

  return {
    add,
    addStream,
    events,
    close: () => {
      stream.end();
      events.emit("end");
    },
    /** Lines from number `from` on, and the number after the last. */
    since(from) {
      return { lines: lines.slice(Math.max(0, from - dropped)), next: dropped + lines.length };
    },
    /** The number of the line from which on there are `count`. */
    tail: (count) => Math.max(dropped, dropped + lines.length - count),
  };
}

/** Writes a log to an HTTP response, by the parameters of `kubectl logs`. */
export function sendLog(log, query, response) {
  const sinceSeconds = query.get("sinceSeconds");
  const after = query.has("sinceTime")
    ? Date.parse(query.get("sinceTime"))
    : sinceSeconds === null
      ? -Infinity
      : Date.now() - Number(sinceSeconds) * 1000;
  const withTimes = query.get("timestamps") === "true";
  let budget = Number(query.get("limitBytes") ?? Infinity);
  let next = query.has("tailLines") ? log.tail(Number(query.get("tailLines"))) : 0;
  const send = () => {
    const { lines, next: end } = log.since(next);
    next = end;
    let text = "";
    for (const line of lines) {
      if (line.time.getTime() >= after)
        text += `${withTimes ? `${line.time.toISOString()} ` : ""}${line.text}\n`;
    }
    const piece = Buffer.from(text).subarray(0, budget);
    budget -= piece.length;
    if (piece.length > 0) response.write(piece);
  };
  response.writeHead(200, { "content-type": "text/plain" });
  response.flushHeaders();
  send();
  if (query.get("follow") !== "true") {
    response.end();
    return;
  }
  const finish = () => {
    send();
    response.end();
  };
  log.events.on("line", send).once("end", finish);
  response.on("close", () => log.events.off("line", send).off("end", finish));
}
