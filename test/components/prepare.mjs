// Before the tests: look for each component, and get what is missing where that takes no person.

import { seconds } from "../../scripts/command.mjs";
import { components, missingMessage } from "./components.mjs";

/** Returns the names of those that are still missing. */
export async function prepareComponents(
  names,
  { mayInstall = true, say = console.log, table = components } = {},
) {
  const missing = [];
  // In the table's order, since a component may need those above it.
  for (const component of table.filter(({ name }) => names.includes(name))) {
    if (component.find()) continue;
    if (!mayInstall || !(await install(component, say))) missing.push(component.name);
  }
  return missing;
}

async function install(component, say) {
  const { name, find, install } = component;
  const obstacle = install.obstacle();
  if (obstacle) {
    say(`${missingMessage(component)} (not done here: ${obstacle})`);
    return false;
  }
  say(`Getting ${name}: ${install.command}`);
  const started = Date.now();
  const failure = await install.run();
  if (find()) {
    say(`Got ${name} in ${seconds(Date.now() - started)}`);
    return true;
  }
  say(`Could not get ${name}${failure ? `:\n${failure}` : ""}`);
  return false;
}
