import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import {
  Client,
  credentials,
  Server,
  ServerCredentials,
  status,
  type ServerDuplexStream,
  type ServiceError,
} from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeCa, makeCertificate } from "../../test/certificates.ts";
import { frame, headersFrame, http2Bytes, literal, requestFields } from "../../test/http2-frames.ts";
import {
  channelServer,
  channelServerName,
  connectChannel,
  makeAuthority,
  openAuthority,
  Renewal,
  type ChannelAuthority,
  type ChannelCertificate,
  type ChannelClient,
  type ChannelServer,
  type ChannelServerOptions,
  type ChannelStream,
} from "./index.ts";

const path = "/test.Echo/Stream";
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Running {
  readonly server: ChannelServer;
  readonly port: number;
  readonly clients: ChannelClient[];
  readonly refusals: string[];
}

/** Answers every message with the name of the client's Gateway and the message. */
async function serve(
  authority: ChannelAuthority,
  options: Partial<ChannelServerOptions> = {},
): Promise<Running> {
  const clients: ChannelClient[] = [];
  const refusals: string[] = [];
  const server = channelServer({
    address: "127.0.0.1",
    port: 0,
    services: [
      {
        path,
        open(stream, client) {
          clients.push(client);
          stream.listen({
            message: (bytes) => stream.send(Buffer.from(`${client.gateway} ${bytes.toString()}`)),
            closed() {},
          });
        },
      },
    ],
    refused: (_, why) => refusals.push(why),
    ...options,
  });
  const port = await server.start(await authority.issueServer());
  ends.push(() => server.stop());
  return { server, port, clients, refusals };
}

async function open(port: number, certificate: ChannelCertificate, at = path): Promise<ChannelStream> {
  const stream = await connectChannel({
    address: `127.0.0.1:${port}`,
    path: at,
    certificate,
    patience: 2_000,
  });
  ends.push(() => stream.close());
  return stream;
}

/** What comes of one message: the answer, or why there was none. */
function ask(stream: ChannelStream, message = "hello"): Promise<string> {
  return new Promise((resolve) => {
    stream.listen({
      message: (bytes) => resolve(bytes.toString()),
      closed: (why) => resolve(`closed: ${why}`),
    });
    stream.send(Buffer.from(message));
  });
}

const asItIs = (bytes: Buffer): Buffer => bytes;

/** Somebody else's idea of gRPC. */
function otherClient(
  port: number,
  { certificate, key, authorities }: Pick<ChannelCertificate, "certificate" | "key" | "authorities">,
): Client {
  const ssl = credentials.createSsl(Buffer.from(authorities), Buffer.from(key), Buffer.from(certificate));
  const client = new Client(`127.0.0.1:${port}`, ssl, {
    "grpc.ssl_target_name_override": channelServerName,
    "grpc.max_receive_message_length": -1,
  });
  ends.push(() => client.close());
  return client;
}

/** Whoever writes frames by hand. */
function rawClient(port: number, { certificate: cert, key, authorities: ca }: ChannelCertificate): TLSSocket {
  const options = { port, host: "127.0.0.1", servername: channelServerName, ALPNProtocols: ["h2"] };
  const socket = connect({ ...options, ca, cert, key });
  ends.push(() => socket.destroy());
  return socket.on("error", () => {}).resume();
}

/** As `openssl s_client` would: the protocol that was agreed on, or why none was. */
function shakeHands(port: number, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: "127.0.0.1",
      servername: channelServerName,
      ALPNProtocols: ["h2"],
      ...options,
    });
    // With TLS 1.3 a refusal of our certificate comes after our side of the handshake.
    socket.once("data", () => resolve(socket.getProtocol() ?? "none"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(`${error.code ?? error.message}`));
    socket.once("close", () => resolve("closed"));
    ends.push(() => socket.destroy());
  });
}

describe("the channel", () => {
  it("gives a service the Gateway's name from the client's certificate", async () => {
    const authority = await makeAuthority();
    const { port, clients } = await serve(authority);
    expect(await ask(await open(port, await authority.issueProxy("shop/web")))).toBe("shop/web hello");
    expect(await ask(await open(port, await authority.issueProxy("shop/other.v1")))).toBe(
      "shop/other.v1 hello",
    );
    expect(clients.map(({ gateway }) => gateway)).toEqual(["shop/web", "shop/other.v1"]);
  });

  it("attack 21: lets nobody in without a certificate, or with one of another authority", async () => {
    const authority = await makeAuthority();
    const { port, clients } = await serve(authority);
    const ca = authority.authorities;
    expect(await shakeHands(port, { ca })).toMatch(/CERTIFICATE_REQUIRED|ECONNRESET|closed|HANDSHAKE/);
    const stranger = await (await makeAuthority()).issueProxy("shop/web");
    const wrong = { ca, cert: stranger.certificate, key: stranger.key };
    expect(await shakeHands(port, wrong)).toMatch(/UNKNOWN_CA|ECONNRESET|closed|ALERT/);
    await expect(open(port, { ...stranger, authorities: ca })).rejects.toMatchObject({
      code: "GATEWRIGHT_CHANNEL_UNREACHABLE",
    });
    expect(clients).toEqual([]);
  });

  it("attack 21: gives nothing for a certificate of ours that names something else", async () => {
    // The authority's own key, in the hands of whoever makes certificates with it in other ways.
    const ca = await makeCa();
    const issue = async (names: { names?: string[]; uris?: string[] }): Promise<ChannelCertificate> => {
      const made = await makeCertificate({ ca, clientAuth: true, ...names });
      const now = new Date();
      return {
        certificate: made.certificates,
        key: made.privateKey,
        authorities: ca.certificate,
        notBefore: now,
        notAfter: now,
      };
    };
    const server = await makeCertificate({ ca, names: [channelServerName] });
    const refusals: string[] = [];
    const opened = vi.fn<() => void>();
    const channel = channelServer({
      address: "127.0.0.1",
      port: 0,
      services: [{ path, open: opened }],
      refused: (_, why) => refusals.push(why),
    });
    const port = await channel.start({
      certificate: server.certificates,
      key: server.privateKey,
      authorities: ca.certificate,
    });
    ends.push(() => channel.stop());
    const wrong = [
      { uris: ["gatewright://gateway/shop"] },
      { uris: ["gatewright://gateway/shop/web/more"] },
      { uris: ["gatewright://gateway/../web"] },
      { uris: ["gatewright://channel/shop/web"] },
      { uris: ["spiffe://gateway/shop/web"] },
      { uris: ["gatewright://gateway/shop/web", "gatewright://gateway/other/web"] },
      { uris: ["gatewright://gateway/shop/web"], names: ["example.com"] },
      { names: ["gatewright.example.com"] },
      {},
    ];
    for (const names of wrong) {
      const answer = await ask(await open(port, await issue(names)));
      expect({ names, answer }).toEqual({
        names,
        answer: expect.stringMatching(/^closed: .*does not name a Gateway/),
      });
    }
    expect(refusals).toHaveLength(wrong.length);
    expect(opened).not.toHaveBeenCalled();
  });

  it("attack 21: never takes a proxy for a controller, nor a controller for a proxy", async () => {
    const authority = await makeAuthority();
    const controllers: string[] = [];
    const reports = "/test.Controllers/Report";
    const gateways: string[] = [];
    const { port, refusals } = await serve(authority, {
      services: [
        { path, open: (_, { gateway }) => gateways.push(gateway) },
        {
          path: reports,
          clients: "controllers",
          open(stream, { controller }) {
            controllers.push(controller);
            stream.listen({ message: () => stream.send(Buffer.from(controller)), closed() {} });
          },
        },
      ],
    });
    const controller = await authority.issueController("gatewright-7d9f-x2x4z.1");
    expect(await ask(await open(port, controller, reports))).toBe("gatewright-7d9f-x2x4z.1");
    expect(await ask(await open(port, controller))).toMatch(/closed: .*does not name a Gateway/);
    for (const gateway of ["shop/web", "controller/gatewright-7d9f-x2x4z.1", "controller/a"]) {
      const proxy = await authority.issueProxy(gateway);
      expect(await ask(await open(port, proxy, reports))).toMatch(/closed: .*does not name a controller/);
    }
    for (const name of ["", "a/b", "../gateway/a/b", "A", "a..b", "a b", "a,URI:b"]) {
      await expect(authority.issueController(name)).rejects.toThrow(TypeError);
    }
    expect({ controllers, gateways }).toEqual({ controllers: ["gatewright-7d9f-x2x4z.1"], gateways: [] });
    expect(refusals).toHaveLength(4);
  });

  it("does not take the server's own certificate for a client's", async () => {
    const authority = await makeAuthority();
    const { port, clients } = await serve(authority);
    await expect(open(port, await authority.issueServer())).rejects.toThrow("cannot be reached");
    expect(clients).toEqual([]);
  });

  it("attack 21: has nothing but its services, as a stream or unary", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const client = otherClient(port, await authority.issueProxy("shop/web"));
    const names = [
      "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources",
      "/envoy.service.secret.v3.SecretDiscoveryService/FetchSecrets",
      "/envoy.service.secret.v3.SecretDiscoveryService/DeltaSecrets",
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    ];
    for (const name of names) {
      const error = await new Promise<ServiceError | null>((resolve) => {
        client.makeUnaryRequest(name, asItIs, asItIs, Buffer.alloc(0), (failure) => resolve(failure));
      });
      expect({ name, code: error?.code }).toEqual({ name, code: status.UNIMPLEMENTED });
    }
  });

  it("is understood by other clients of gRPC, and tells them why it ends", async () => {
    const authority = await makeAuthority();
    const { port, server } = await serve(authority);
    const client = otherClient(port, await authority.issueProxy("shop/web"));
    const call = client.makeBidiStreamRequest(path, asItIs, asItIs);
    const answers: string[] = [];
    const failed = new Promise<ServiceError>((resolve) => call.once("error", resolve));
    call.on("data", (bytes: Buffer) => answers.push(bytes.toString()));
    call.write(Buffer.from("1"));
    call.write(Buffer.from("2"));
    await vi.waitFor(() => expect(answers).toEqual(["shop/web 1", "shop/web 2"]), { timeout: 10_000 });
    await server.stop();
    expect(await failed).toMatchObject({ code: status.UNAVAILABLE, details: "the channel closes" });

    const ended = await serve(authority);
    const brief = otherClient(ended.port, await authority.issueProxy("shop/web"));
    const end = brief.makeBidiStreamRequest(path, asItIs, asItIs);
    const said = new Promise((resolve) => end.once("status", resolve));
    end.resume();
    end.end();
    expect(await said).toMatchObject({ code: status.OK });
  });

  it("understands other servers of gRPC", async () => {
    const authority = await makeAuthority();
    const { certificate, key, authorities } = await authority.issueServer();
    const other = new Server();
    other.register(
      path,
      (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on("data", (bytes: Buffer) => {
          if (bytes.length > 0) call.write(bytes);
          else call.emit("error", { code: status.RESOURCE_EXHAUSTED, details: "100 % voll für heute" });
        });
      },
      asItIs,
      asItIs,
      "bidi",
    );
    const pair = [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }];
    const secure = ServerCredentials.createSsl(Buffer.from(authorities), pair, true);
    const port = await new Promise<number>((resolve, reject) => {
      other.bindAsync("127.0.0.1:0", secure, (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    ends.push(() => other.forceShutdown());
    const proxy = await authority.issueProxy("shop/web");
    expect(await ask(await open(port, proxy))).toBe("hello");
    expect(await ask(await open(port, proxy), "")).toBe("closed: 100 % voll für heute");
    expect(await ask(await open(port, proxy, "/test.Nothing/There"))).toMatch(/^closed: .*not implement/);
  });

  it("carries a message of many megabytes in pieces, and one that follows it", async () => {
    const authority = await makeAuthority();
    const pieces = Array.from({ length: 3_000 }, (_, index) => Buffer.alloc(10_000, index));
    const { port } = await serve(authority, {
      services: [
        {
          path,
          open: (stream) =>
            stream.listen({
              message() {
                stream.send(pieces);
                stream.send(Buffer.from("and this"));
              },
              closed() {},
            }),
        },
      ],
    });
    const stream = await open(port, await authority.issueProxy("shop/web"));
    const messages: Buffer[] = [];
    stream.listen({ message: (bytes) => messages.push(bytes), closed() {} });
    stream.send(Buffer.from("all"));
    await vi.waitFor(() => expect(messages).toHaveLength(2), { timeout: 10_000 });
    expect(messages[0]!.equals(Buffer.concat(pieces))).toBe(true);
    expect(messages[1]!.toString()).toBe("and this");
  });

  it("does not mind streams that are taken back before they are heard, or that are none of gRPC", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const proxy = await authority.issueProxy("shop/web");
    const socket = rawClient(port, proxy);
    const cancel = Buffer.from([0, 0, 0, 8]);
    const fields = [literal(":method", "POST"), ...requestFields(path).slice(1)];
    const openAlone = 4;
    const streams = Array.from({ length: 40 }, (_, index) => 2 * index + 1);
    socket.write(
      Buffer.concat([
        http2Bytes,
        ...streams.flatMap((id) => [headersFrame(id, fields, openAlone), frame(3, 0, id, cancel)]),
        headersFrame(101, requestFields(path)),
        headersFrame(103, requestFields("/")),
        headersFrame(105, fields, openAlone),
        frame(0, 0, 105, Buffer.from([1, 0, 0, 0, 0])),
      ]),
    );
    const words: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => words.push(chunk));
    await vi.waitFor(() => expect(Buffer.concat(words).length).toBeGreaterThan(100), { timeout: 5_000 });
    expect(await ask(await open(port, proxy))).toBe("shop/web hello");
  });

  it("ends a connection whose other side is silent, and asks an old one to go", async () => {
    const authority = await makeAuthority();
    const silent = await serve(authority, { limits: { keepAlive: 50, keepAliveAnswer: 50 } });
    // It says that it speaks HTTP/2, and then nothing more.
    const socket = rawClient(silent.port, await authority.issueProxy("shop/web"));
    socket.write(http2Bytes);
    await new Promise((resolve) => socket.once("close", resolve));
    // One that answers stays.
    expect(await ask(await open(silent.port, await authority.issueProxy("shop/web")))).toBe("shop/web hello");

    const old = await serve(authority, { limits: { connectionAge: 100, grace: 50 } });
    const stream = await open(old.port, await authority.issueProxy("shop/web"));
    await new Promise((resolve) => stream.listen({ message() {}, closed: resolve }));
  });

  it("speaks TLS 1.2 and newer only", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const { certificate, key, authorities } = await authority.issueProxy("shop/web");
    const own = { ca: authorities, cert: certificate, key, ciphers: "ALL@SECLEVEL=0" };
    expect(await shakeHands(port, { ...own, minVersion: "TLSv1.2", maxVersion: "TLSv1.2" })).toBe("TLSv1.2");
    expect(await shakeHands(port, { ...own, minVersion: "TLSv1.3" })).toBe("TLSv1.3");
    expect(await shakeHands(port, { ...own, minVersion: "TLSv1", maxVersion: "TLSv1.1" })).toMatch(
      /PROTOCOL|ALERT|VERSION/,
    );
  });

  it("attack 24: replaces its certificate under open streams, which go on", async () => {
    const first = await makeAuthority();
    const { port, server } = await serve(first);
    const proxy = await first.issueProxy("shop/web");
    const answers: string[] = [];
    const old = await open(port, proxy);
    old.listen({ message: (bytes) => answers.push(bytes.toString()), closed: (why) => answers.push(why) });
    old.send(Buffer.from("1"));
    const second = await makeAuthority({ before: first.keeping });
    server.replaceCertificate(await second.issueServer());
    old.send(Buffer.from("2"));
    // Whoever has a certificate of the one before still gets in, and trusts the new one as soon as it was told of it.
    expect(await ask(await open(port, { ...proxy, authorities: second.authorities }))).toBe("shop/web hello");
    expect(await ask(await open(port, await second.issueProxy("shop/web")))).toBe("shop/web hello");
    await expect(open(port, proxy)).rejects.toThrow("cannot be reached");
    await vi.waitFor(() => expect(answers).toEqual(["shop/web 1", "shop/web 2"]), { timeout: 10_000 });
  });

  it("attack 24: ends a stream when its certificate does, and refuses it from then on", async () => {
    const lasting = await makeAuthority();
    const brief = await openAuthority(lasting.keeping, { leafLifetime: 2_500 });
    const { port } = await serve(lasting);
    const proxy = await brief.issueProxy("shop/web");
    const stream = await open(port, proxy);
    const closed = new Promise<string>((resolve) => stream.listen({ message() {}, closed: resolve }));
    expect(await closed).toMatch(/certificate has expired/);
    await expect(open(port, proxy)).rejects.toThrow("cannot be reached");
  });

  it("limits the streams of a Gateway and the size of a message", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority, { limits: { streamsPerGateway: 2, messageSize: 1000 } });
    const proxy = await authority.issueProxy("shop/web");
    const streams = [await open(port, proxy), await open(port, proxy)];
    for (const stream of streams) expect(await ask(stream)).toBe("shop/web hello");
    expect(await ask(await open(port, proxy))).toMatch(/has 2 streams already/);
    expect(await ask(await open(port, await authority.issueProxy("shop/b")), "x".repeat(1001))).toMatch(
      /closed/,
    );
    streams[0]!.close();
    await pause(50);
    expect(await ask(await open(port, proxy))).toBe("shop/web hello");
  });

  it("attack 21: limits what a Gateway leaves unfinished, on however many streams", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority, { limits: { unfinishedPerGateway: 150_000 } });
    const begun = Buffer.alloc(60_000);
    begun.writeUInt32BE(1_000_000, 1);
    const begin = async (gateway: string) => {
      const { certificate: cert, key, authorities: ca } = await authority.issueProxy(gateway);
      const session = connectHttp2(`https://127.0.0.1:${port}`, {
        ca,
        cert,
        key,
        servername: channelServerName,
      });
      ends.push(() => session.destroy());
      session.on("error", () => {});
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
      });
      stream.on("error", () => {});
      const ended = new Promise<unknown>((resolve) =>
        stream.on("trailers", (fields) => resolve(fields["grpc-message"])),
      );
      stream.resume().write(begun);
      return Promise.race([ended, pause(300, "goes on")]);
    };
    expect(await begin("shop/web")).toBe("goes on");
    expect(await begin("shop/web")).toBe("goes on");
    expect(await begin("shop/web")).toBe("there are too many bytes of messages that do not end");
    expect(await begin("shop/other")).toBe("goes on");
    expect(await ask(await open(port, await authority.issueProxy("shop/web")))).toBe("shop/web hello");
  });

  it("attack 21: does not wait for ever for a client to show its certificate", async () => {
    const { port } = await serve(await makeAuthority(), { limits: { handshake: 100 } });
    const socket = connectTcp(port, "127.0.0.1").on("error", () => {});
    ends.push(() => socket.destroy());
    await once(socket, "close");
    expect(socket.bytesRead).toBe(0);
  });

  it("closes the one stream whose message its service fails on, and says so", async () => {
    const authority = await makeAuthority();
    const closed: string[] = [];
    const failures: string[] = [];
    const { port } = await serve(authority, {
      services: [
        {
          path,
          open: (stream) =>
            stream.listen({
              message: (bytes) => stream.send(Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))),
              closed: (why) => closed.push(why),
            }),
        },
      ],
      failed: (peer, error) => failures.push(`${peer} ${String(error)}`),
    });
    const [one, other] = [
      await open(port, await authority.issueProxy("shop/web")),
      await open(port, await authority.issueProxy("shop/web")),
    ];
    expect(await ask(one, "{")).toBe("closed: a message could not be handled");
    expect(await ask(other, "[1]")).toBe("[1]");
    expect(closed).toEqual(["a message could not be handled"]);
    expect(failures).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ SyntaxError: /)]);
  });

  it("closes a client's own stream whose message it fails on", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const stream = await open(port, await authority.issueProxy("shop/web"));
    const closed = new Promise<string>((resolve) => {
      stream.listen({
        message() {
          throw new Error("what is this?");
        },
        closed: resolve,
      });
    });
    stream.send(Buffer.from("hello"));
    expect(await closed).toBe("a message could not be handled: what is this?");
  });

  it("goes on with an authority that was kept", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const again = await openAuthority(
      JSON.parse(JSON.stringify(authority.keeping)) as typeof authority.keeping,
    );
    expect(await ask(await open(port, await again.issueProxy("shop/web")))).toBe("shop/web hello");
    await expect(again.issueProxy("shop")).rejects.toThrow("is not <namespace>/<name>");
  });

  it("says so if its port is taken", async () => {
    const authority = await makeAuthority();
    const { port } = await serve(authority);
    const second = channelServer({ address: "127.0.0.1", port, services: [] });
    await expect(second.start(await authority.issueServer())).rejects.toMatchObject({
      code: "GATEWRIGHT_CHANNEL_PORT",
    });
  });
});

describe("a renewal", () => {
  it("has the next certificate at half-time, and tries again if there is none", async () => {
    vi.useFakeTimers();
    ends.push(() => vi.useRealTimers());
    const used: number[] = [];
    const failures: unknown[] = [];
    let next = 0;
    let isBroken = false;
    const renewal = new Renewal({
      issue: async () => {
        if (isBroken) throw new Error("no");
        const now = Date.now();
        return {
          certificate: String(++next),
          key: "",
          authorities: "",
          notBefore: new Date(now),
          notAfter: new Date(now + 60_000),
        };
      },
      use: ({ certificate }) => void used.push(Number(certificate)),
      failed: (error) => failures.push(error),
    });
    await renewal.start();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(used).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(used).toEqual([1, 2]);
    isBroken = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(failures).toHaveLength(1);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(used).toEqual([1, 2, 3]);
    renewal.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(used).toEqual([1, 2, 3]);
  });

  it("comes earlier if the certificate says so, and starts over with one that is put in its place", async () => {
    vi.useFakeTimers();
    ends.push(() => vi.useRealTimers());
    const used: string[] = [];
    const issue = (certificate: string, wait: number): ChannelCertificate => ({
      certificate,
      key: "",
      authorities: "",
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 60_000),
      renewBy: new Date(Date.now() + wait),
    });
    let answer: (certificate: ChannelCertificate) => void = () => {};
    const renewal = new Renewal({
      issue: () => new Promise((resolve) => (answer = resolve)),
      use: ({ certificate }) => void used.push(certificate),
    });
    ends.push(() => renewal.stop());
    void renewal.start();
    answer(issue("first", 10_000));
    await vi.advanceTimersByTimeAsync(10_000);
    const late = answer;
    await renewal.replace(issue("second", 20_000));
    late(issue("of the first", 60_000));
    await vi.advanceTimersByTimeAsync(20_000);
    answer(issue("third", 60_000));
    await vi.advanceTimersByTimeAsync(0);
    expect(used).toEqual(["first", "second", "third"]);
  });
});
