/*
 * Brings a running process in line with what it should be doing, as far as that goes without a new one: servers, maps and
 * certificates. Order: what is referred to first, removals last.
 */
import type { Generation } from "../process/generation.ts";
import { mapNames, type DesiredState, type RenderedSection } from "../render/desired-state.ts";
import type { ServerWords } from "../render/backend-section.ts";
import { renderWord } from "../config/configuration-text.ts";
import { RuntimeError } from "./runtime-connection.ts";

/**
 * Whether the process has every section that is needed, spare ones taken into account. Sections too many do no harm, but
 * listeners too many do.
 */
export function hasSections(generation: Generation, state: DesiredState): boolean {
  const missing: RenderedSection[] = [];
  for (const [name, rendered] of state.sections) {
    const running = generation.sections.get(name);
    if (!running) missing.push(rendered);
    else if (!isSame(running, rendered)) return false;
  }
  for (const [name, { isFrontend }] of generation.sections) {
    if (isFrontend && !state.sections.has(name)) return false;
  }
  if (![...state.certificates.keys()].every((name) => generation.certificates.has(name))) return false;
  return generation.takeSpares(missing);
}

function isSame(running: RenderedSection, wanted: RenderedSection): boolean {
  if (running.settings !== wanted.settings) return false;
  return (
    running.section === wanted.section || JSON.stringify(running.section) === JSON.stringify(wanted.section)
  );
}

export async function applyToRunning(
  generation: Generation,
  state: DesiredState,
  folder: string,
): Promise<void> {
  for (const [name, pem] of state.certificates) {
    if (generation.certificates.get(name) !== pem)
      await replaceCertificate(generation, `${folder}/${name}`, pem);
  }
  generation.certificates = new Map([...generation.certificates, ...state.certificates]);
  await addServers(generation, state.servers);
  const maps = { ...generation.maps };
  for (const name of mapNames) {
    const wanted = name === "sections" ? new Map(generation.spareNames) : state.maps[name];
    maps[name] = await changeMap(generation, `${generation.mapFolder}/${name}.map`, maps[name], wanted);
  }
  generation.maps = maps;
  await removeServers(generation, [...generation.servers.keys()], state.servers);
}

/** The servers of some sections alone; `lists` has those of sections with sessions. */
export async function applyServers(
  generation: Generation,
  servers: ServersBySection,
  lists: ReadonlyMap<string, string>,
): Promise<void> {
  await addServers(generation, servers);
  const path = `${generation.mapFolder}/servers.map`;
  for (const section of servers.keys()) {
    const list = lists.get(section);
    if (list !== undefined) await expectNothing(generation, `set map ${path} ${section} ${list}`);
  }
  await removeServers(generation, servers.keys(), servers);
}

/** Some entries of the map of hosts alone; `running`: those that the process has. */
export async function applyHosts(
  generation: Generation,
  entries: ReadonlyMap<string, string | undefined>,
  running: ReadonlySet<string>,
): Promise<void> {
  const path = `${generation.mapFolder}/hosts.map`;
  const done: Promise<void>[] = [];
  for (const [key, hash] of entries) {
    if (hash === undefined) {
      if (running.has(key)) done.push(expectNothing(generation, `del map ${path} ${key}`));
    } else {
      done.push(expectNothing(generation, `${running.has(key) ? "set" : "add"} map ${path} ${key} ${hash}`));
    }
  }
  await Promise.all(done);
}

async function replaceCertificate(generation: Generation, path: string, pem: string): Promise<void> {
  const set = await generation.command(`set ssl cert ${path}`, pem);
  if (!/Transaction (?:created|updated)/.test(set)) {
    throw new RuntimeError(`HAProxy does not take the certificate: ${set}`);
  }
  const commit = await generation.command(`commit ssl cert ${path}`);
  if (!/Success!/.test(commit)) throw new RuntimeError(`HAProxy does not take the certificate: ${commit}`);
}

type ServersBySection = ReadonlyMap<string, ReadonlyMap<string, ServerWords>>;

async function addServers(generation: Generation, servers: ServersBySection): Promise<void> {
  const added: Promise<void>[] = [];
  for (const [section, wanted] of servers) {
    const running = generation.servers.get(section) ?? noServers;
    if (running === wanted || !generation.sections.has(`backend ${section}`)) continue;
    for (const [name, words] of wanted) {
      if (!running.has(name)) added.push(addServer(generation, section, name, words));
    }
    // Until the others are gone, it has both.
    generation.servers.set(section, new Map([...running, ...wanted]));
  }
  await Promise.all(added);
}

const noServers: ReadonlyMap<string, ServerWords> = new Map();

async function addServer(
  generation: Generation,
  section: string,
  name: string,
  words: ServerWords,
): Promise<void> {
  const server = `${generation.nameOf(section)}/${name}`;
  const [added, enabled] = await Promise.all([
    generation.command(`add server ${server} ${words.map(renderWord).join(" ")}`),
    generation.command(`enable server ${server}`),
  ]);
  // One that left a moment ago may still be there, in maintenance.
  if (!/New server registered|Already exists a server/i.test(added)) {
    throw new RuntimeError(`HAProxy does not take a server: ${added}`);
  }
  if (enabled !== "") throw new RuntimeError(`HAProxy does not enable a server: ${enabled}`);
}

async function removeServers(
  generation: Generation,
  sections: Iterable<string>,
  servers: ServersBySection,
): Promise<void> {
  const removed: Promise<void>[] = [];
  for (const section of sections) {
    const running = generation.servers.get(section) ?? noServers;
    const wanted = servers.get(section) ?? noServers;
    if (running === wanted || !generation.sections.has(`backend ${section}`)) continue;
    for (const name of running.keys()) {
      if (wanted.has(name)) continue;
      generation.leaving.add(`${section}/${name}`);
      removed.push(expectNothing(generation, `disable server ${generation.nameOf(section)}/${name}`));
    }
    generation.servers.set(section, wanted);
  }
  await Promise.all(removed);
}

/** Servers that left are deleted when nothing is under way with them any more. */
export async function deleteLeaving(generation: Generation): Promise<void> {
  for (const name of generation.leaving) {
    const [section, server] = name.split("/") as [string, string];
    if (generation.servers.get(section)?.has(server)) {
      generation.leaving.delete(name);
      continue;
    }
    const answer = await generation.command(`del server ${generation.nameOf(section)}/${server}`);
    if (/deleted|No such server|not found/i.test(answer)) generation.leaving.delete(name);
  }
}

const entriesPerCommand = 100;

async function changeMap(
  generation: Generation,
  path: string,
  running: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  if (running === wanted) return wanted;
  const added: string[] = [];
  const done: Promise<void>[] = [];
  for (const [key, value] of wanted) {
    const before = running.get(key);
    if (before === undefined) added.push(`${key} ${value}`);
    else if (before !== value) done.push(expectNothing(generation, `set map ${path} ${key} ${value}`));
  }
  for (let at = 0; at < added.length; at += entriesPerCommand) {
    const entries = added.slice(at, at + entriesPerCommand).join("\n");
    done.push(expectNothing(generation, `add map ${path}`, entries));
  }
  for (const key of running.keys()) {
    if (!wanted.has(key)) done.push(expectNothing(generation, `del map ${path} ${key}`));
  }
  await Promise.all(done);
  return wanted;
}

async function expectNothing(generation: Generation, command: string, payload?: string): Promise<void> {
  const answer = await generation.command(command, payload);
  if (answer !== "") throw new RuntimeError(`HAProxy answers: ${answer}`);
}
