import type { HeaderValue } from "../../../model/index.ts";
import type { HeaderList } from "../upstream/index.ts";

/**
 * Marks an answer for a cross-origin request: the gateway's CORS headers take the place of all that the backend said about
 * CORS, and `vary` is added to the backend's own.
 */
export function addCorsHeaders(headers: HeaderList, cors: readonly HeaderValue[]): HeaderList {
  const marked: HeaderList = [];
  let vary: string | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    const value = headers[index + 1]!;
    if (name === "vary") vary = vary === undefined ? value : `${vary}, ${value}`;
    else if (!name.startsWith("access-control-")) marked.push(name, value);
  }
  for (const { name, value } of cors) {
    if (name !== "vary") marked.push(name, value);
    else if (vary === undefined) vary = value;
    else if (!mentions(vary, value)) vary = `${vary}, ${value}`;
  }
  if (vary !== undefined) marked.push("vary", vary);
  return marked;
}

function mentions(list: string, token: string): boolean {
  const wanted = token.toLowerCase();
  return list.split(",").some((part) => part.trim().toLowerCase() === wanted || part.trim() === "*");
}
