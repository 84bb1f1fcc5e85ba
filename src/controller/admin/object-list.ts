import type { PageContent } from "./admin-page.ts";

const piece = 100;

/** Objects as Kubernetes lists them (`v1` List), written in pieces. */
export function listPage(objects: Iterable<unknown>): PageContent {
  return { type: "application/json", body: writeList(objects) };
}

function* writeList(objects: Iterable<unknown>): Generator<string> {
  yield '{\n"apiVersion": "v1",\n"kind": "List",\n"items": [';
  let text = "";
  let count = 0;
  for (const object of objects) {
    text += `${count++ === 0 ? "\n" : ",\n"}${JSON.stringify(object)}`;
    if (count % piece !== 0) continue;
    yield text;
    text = "";
  }
  yield `${text}\n]\n}\n`;
}
