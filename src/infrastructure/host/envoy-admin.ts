/** What we ask of Envoy's admin interface, by its socket. */
import { request } from "node:http";

export class EnvoyAdmin {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** It has its first full configuration. */
  async isReady(): Promise<boolean> {
    return (await this.#ask("GET", "/ready")).status === 200;
  }

  /** No more connections are taken, and answers ask clients to close theirs. */
  async drain(): Promise<void> {
    await this.#ask("POST", "/healthcheck/fail");
    await this.#ask("POST", "/drain_listeners?inboundonly");
  }

  /** Requests and streams that are under way. */
  async activity(): Promise<number> {
    const { body } = await this.#ask(
      "GET",
      "/stats?usedonly&filter=downstream_rq_active|downstream_cx_active|downstream_sess_active",
    );
    let sum = 0;
    for (const [, name = "", value = "0"] of body.matchAll(/^(\S+): (\d+)$/gm)) {
      const isStream =
        /^tcp\..*\.downstream_cx_active$/.test(name) || /^udp\..*\.downstream_sess_active$/.test(name);
      if (isStream || /^http\.(?!admin|gatewright_status).*\.downstream_rq_active$/.test(name))
        sum += Number(value);
    }
    return sum;
  }

  /** Connections from clients that are open. */
  async connections(): Promise<number> {
    const { body } = await this.#ask("GET", "/stats?usedonly&filter=^listener\\..*downstream_cx_active$");
    let sum = 0;
    for (const [, name = "", value = "0"] of body.matchAll(/^(\S+): (\d+)$/gm)) {
      if (!name.includes(".worker_") && !name.includes("listener.admin.")) sum += Number(value);
    }
    return sum;
  }

  async metrics(): Promise<string> {
    return (await this.#ask("GET", "/stats/prometheus?usedonly")).body;
  }

  #ask(method: string, path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.#socket, method, path, timeout: 5_000 }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => (body += text));
        response.once("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.once("error", reject);
      });
      call.once("timeout", () => call.destroy(new Error("Envoy's admin interface does not answer.")));
      call.once("error", reject);
      call.end();
    });
  }
}
