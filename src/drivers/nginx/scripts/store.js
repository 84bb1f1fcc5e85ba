/*
 * Reads what the driver has written for the scripts. Every file is replaced as a whole, so that a reader sees the old content
 * or the new one, never a mixture.
 */
import fs from "fs";

/** The parsed content of a file, or `undefined` if there is none. */
function read(folder, path) {
  let text;
  try {
    text = fs.readFileSync(folder + "/" + path, "utf8");
    // njs wants a name here.
    // eslint-disable-next-line no-unused-vars
  } catch (error) {
    return undefined;
  }
  return JSON.parse(text);
}

/** Which of `count` parts of a large table holds the entry `key`: FNV-1a. */
function partOf(key, count) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % count;
}

export default { read, partOf };
