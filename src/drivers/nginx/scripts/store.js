/*
 * Reads what the driver has written for the scripts. Every file is replaced as a whole, so that a reader sees the old content
 * or the new one, never a mixture.
 */
import fs from "fs";

const quietly = { throwIfNoEntry: false };

/** The content of a file, or `undefined` if there is none. It is asked for first: an exception costs njs more than all the rest. */
function readText(folder, path) {
  const file = folder + "/" + path;
  if (fs.statSync(file, quietly) === undefined) return undefined;
  try {
    return fs.readFileSync(file, "utf8");
    // It went in between. njs wants a name here.
    // eslint-disable-next-line no-unused-vars
  } catch (error) {
    return undefined;
  }
}

/** The same, parsed. */
function read(folder, path) {
  const text = readText(folder, path);
  return text === undefined ? undefined : JSON.parse(text);
}

/** FNV-1a: by which large tables are cut in parts. */
function hashOf(key) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export default { read, readText, hashOf };
