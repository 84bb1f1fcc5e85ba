/* What HAProxy reads: the configuration and the maps of each process, and the files that they refer to. */
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkedConfiguration } from "../config/configuration-reader.ts";
import type { Section } from "../config/configuration-text.ts";
import type { HaproxyLimits, HaproxyOptions } from "../options.ts";
import { mapNames, type DesiredState } from "../render/desired-state.ts";
import { spareSections } from "../render/spare-sections.ts";
import { staticSections } from "../render/static-sections.ts";
import { refusalIn } from "./generation.ts";
import type { WorkFolder } from "./work-folder.ts";

const execute = promisify(execFile);
const luaFolder = fileURLToPath(new URL("../lua", import.meta.url));

/** The program has been found by now. */
type ConfigurationOptions = HaproxyOptions & { readonly executable: string };

export class ConfigurationFiles {
  readonly #folder: WorkFolder;
  readonly #options: ConfigurationOptions;
  readonly #limits: HaproxyLimits;

  constructor(folder: WorkFolder, options: ConfigurationOptions, limits: HaproxyLimits) {
    this.#folder = folder;
    this.#options = options;
    this.#limits = limits;
  }

  /** What the scripts must know. */
  environment(maps: string): Record<string, string> {
    return {
      GATEWRIGHT_FOLDER: this.#folder.path,
      GATEWRIGHT_MAPS: maps,
      GATEWRIGHT_THREADS: String(this.#threads),
      GATEWRIGHT_PARENT: String(process.pid),
      GATEWRIGHT_LOGS: this.#options.accessLog ? "yes" : "no",
    };
  }

  /** What all processes share. */
  write(desired: DesiredState): void {
    this.#folder.writeData(desired.data);
    for (const [name, text] of desired.files) this.#folder.write(name, text);
    for (const [name, pem] of desired.certificates) this.#folder.write(name, pem);
  }

  /** What one process begins with, in a folder of its own. */
  writeFor(number: number, desired: DesiredState): void {
    const text = checkedConfiguration(this.#sections(number, desired));
    for (const name of mapNames) this.#folder.write(`g${number}/${name}.map`, mapText(desired.maps[name]));
    this.#folder.write(`g${number}/haproxy.cfg`, text);
  }

  /** HAProxy's own words if it does not take the configuration. */
  async check(number: number, desired: DesiredState): Promise<string | undefined> {
    this.write(desired);
    this.writeFor(number, desired);
    const maps = `${this.#folder.path}/g${number}`;
    try {
      await execute(this.#options.executable, ["-c", "-f", `${maps}/haproxy.cfg`], {
        env: { ...process.env, ...this.environment(maps) },
      });
      return undefined;
    } catch (error) {
      const { stderr } = error as { readonly stderr?: string };
      return refusalIn(stderr ?? String(error)).replaceAll(`${this.#folder.path}/`, "");
    } finally {
      this.#folder.remove(`g${number}`);
    }
  }

  get #threads(): number {
    return this.#options.threads ?? Math.min(64, availableParallelism());
  }

  #sections(number: number, desired: DesiredState): readonly Section[] {
    const { path } = this.#folder;
    const errorFiles = `${path}/errors`;
    const fixed = staticSections({
      luaFolder,
      runtimeSocket: `${path}/g${number}/runtime`,
      threads: this.#threads,
      folder: path,
      limits: this.#limits,
      errorFiles,
      logs: this.#options.accessLog !== undefined,
    });
    const sections = [...desired.sections.values()].map(({ section }) => {
      const servers = section.keyword === "backend" ? desired.servers.get(section.name!) : undefined;
      if (!servers) return section;
      const lines = [...servers].map(([name, words]) => ["server", name, ...words]);
      return { ...section, lines: [...section.lines, ...lines] };
    });
    return [...fixed, ...sections, ...spareSections(errorFiles)];
  }
}

function mapText(map: ReadonlyMap<string, string>): string {
  return [...map].map(([key, value]) => `${key} ${value}\n`).join("");
}
