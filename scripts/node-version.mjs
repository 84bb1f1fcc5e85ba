// The check that comes before everything else. It must parse on a Node far too old for the rest of the
// project, so: no imports, no `?.`, no `??`, no top-level await.

export const requiredNode = "20.19";

/** Is `version` ("v20.20.2") at least `required` ("20.19")? */
export function isNewEnough(version, required) {
  const have = version.replace(/^v/, "").split(".").map(Number);
  const want = required.split(".").map(Number);
  return have[0] > want[0] || (have[0] === want[0] && have[1] >= want[1]);
}

/** Ends the program with exit code 3 (the environment is missing something) on a Node that is too old. */
export function requireNode() {
  if (isNewEnough(process.version, requiredNode)) return;
  console.error(
    "Gatewright needs Node " +
      requiredNode +
      " or newer; this is " +
      process.version +
      ". Get one at nodejs.org.",
  );
  process.exit(3);
}
