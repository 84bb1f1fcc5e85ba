/** A way through an HTTP proxy to the API server (`proxy-url` of a kubeconfig): CONNECT, then nothing but bytes. */
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { rootCertificates } from "node:tls";
import type { ConnectionSecurity } from "./credentials.ts";

export interface TunnelOptions {
  readonly proxy: URL;
  /** Where it leads, as a URL's host name: an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** An authority of the cluster may have signed the proxy's certificate too. Nothing else of it is for the proxy. */
  readonly security: ConnectionSecurity;
  /** ms. */
  readonly timeout: number;
}

export function openTunnel({ proxy, host, port, security, timeout }: TunnelOptions): Promise<Socket> {
  const isSafe = proxy.protocol === "https:";
  const hostname = proxy.hostname.replace(/^\[|\]$/g, "");
  const target = `${host}:${port}`;
  const options: https.RequestOptions = {
    method: "CONNECT",
    host: hostname,
    port: Number(proxy.port || (isSafe ? 443 : 80)),
    path: target,
    headers: { host: target, ...authorization(proxy) },
    agent: false,
    timeout,
    ...(isSafe && security.ca !== undefined && { ca: [...rootCertificates, security.ca] }),
  };
  return new Promise((resolve, reject) => {
    const request = isSafe ? https.request(options) : http.request(options);
    const fail = (why: string) => reject(new Error(`the proxy ${proxy.host}: ${why}`));
    request.once("error", (error) => fail(error.message));
    request.once("timeout", () => request.destroy(new Error(`no answer within ${timeout / 1000} s`)));
    // An answer that is no tunnel comes as a response with a body.
    request.once("response", (response) => {
      response.destroy();
      fail(`it answered CONNECT with ${response.statusCode}`);
    });
    request.once("connect", (response, stream: Duplex, head) => {
      const socket = stream as Socket;
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(`it answered CONNECT ${target} with ${response.statusCode} ${response.statusMessage ?? ""}`);
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
