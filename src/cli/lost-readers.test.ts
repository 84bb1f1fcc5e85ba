import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { watchReaders } from "./lost-readers.ts";

function sink(texts: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString());
      done();
    },
  });
}

function setting() {
  const told: string[] = [];
  let ends = 0;
  const stdout = sink([]);
  const stderr = sink(told);
  const readers = watchReaders({ stdout, stderr, end: () => ends++, remark: "gone" });
  const lose = (stream: Writable) => stream.emit("error", Object.assign(new Error(), { code: "EPIPE" }));
  return { readers, stdout, stderr, lose, told, ends: () => ends };
}

it("ends a program that only writes", () => {
  const { stdout, lose, told, ends } = setting();
  lose(stdout);
  expect([ends(), told]).toEqual([1, []]);
});

it("lets a program that serves go on, and says so once", () => {
  const { readers, stdout, stderr, lose, told, ends } = setting();
  readers.outlive();
  lose(stdout);
  lose(stdout);
  lose(stderr);
  expect([ends(), told]).toEqual([0, ["gone\n"]]);
});
