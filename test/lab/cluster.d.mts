// The part of cluster.mjs that tests use through lab.ts.

/** What an image is on this machine; see node/images.mjs. */
export interface LabImage {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  /** Path in the container → path on this machine, read-only. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly user?: number;
  readonly group?: number;
  /** A folder that is the container's whole file system. */
  readonly root?: string;
}

export interface ClusterOptions {
  /** More images, or others, by the last part of their name. */
  readonly images?: Readonly<Record<string, LabImage>>;
}

export interface ClusterFaults {
  killApiServer(): Promise<void>;
  stopApiServer(): Promise<void>;
  startApiServer(): Promise<void>;
  restartApiServer(): Promise<void>;
  pauseApiServer(): void;
  resumeApiServer(): void;
  slowApiServer(share: number): void;
  normal(): void;
  compactEtcd(): Promise<void>;
  pauseEtcd(): void;
  resumeEtcd(): void;
  pauseControllerManager(): void;
  resumeControllerManager(): void;
}

export interface Cluster {
  /** Where its state is, with `logs/` of everything that ran. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The program itself, for what `kubectl()` cannot do. */
  readonly kubectlProgram: string;
  /** Milliseconds. */
  readonly startedIn: number;
  kubectl(...args: readonly string[]): Promise<string>;
  apply(yaml: string): Promise<string>;
  delete(yaml: string): Promise<string>;
  installCrds(channel?: "experimental" | "standard"): Promise<void>;
  readonly faults: ClusterFaults;
  stop(): Promise<void>;
}

export function startCluster(options?: ClusterOptions): Promise<Cluster>;
