import net from "node:net";
import type { BoundAddress } from "../../drivers/driver.ts";

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7 };
const endStream = 1;
const endHeaders = 4;
const acknowledged = 1;

/**
 * Sends one request over HTTP/2 whose headers no decent client would send: nothing is checked or encoded, every header goes
 * out as a literal. Resolves when the gateway has begun to answer, has reset the stream or has closed.
 */
export function sendRawHttp2(
  at: BoundAddress,
  headers: readonly (readonly [name: string, value: string])[],
  body: string,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(at.port, at.address);
    const timer = setTimeout(done, 3_000);
    let received = Buffer.alloc(0);
    function done(): void {
      clearTimeout(timer);
      // The backend may still be hearing of it.
      setTimeout(() => socket.destroy(), 100);
      setTimeout(resolve, 200);
    }
    socket.on("error", done);
    socket.on("close", done);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let frame = nextFrame(received); frame; frame = nextFrame(received)) {
        received = received.subarray(frame.length);
        if (frame.type === frameTypes.settings && frame.flags !== acknowledged) {
          socket.write(frameOf(frameTypes.settings, acknowledged, 0, Buffer.alloc(0)));
        }
        const isAnswer = frame.type === frameTypes.headers || frame.type === frameTypes.reset;
        if (isAnswer || frame.type === frameTypes.goAway) done();
      }
    });
    socket.write(preface);
    socket.write(frameOf(frameTypes.settings, 0, 0, Buffer.alloc(0)));
    socket.write(frameOf(frameTypes.headers, endHeaders, 1, Buffer.concat(headers.map(literal))));
    socket.write(frameOf(frameTypes.data, endStream, 1, Buffer.from(body, "latin1")));
  });
}

function frameOf(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function nextFrame(bytes: Buffer) {
  if (bytes.length < 9) return undefined;
  const length = 9 + bytes.readUIntBE(0, 3);
  return bytes.length < length ? undefined : { length, type: bytes[3]!, flags: bytes[4]! };
}

/** A header field never indexed, name and value as they are (RFC 7541 6.2.3); both shorter than 127 bytes. */
function literal([name, value]: readonly [string, string]): Buffer {
  const text = (given: string) => {
    const bytes = Buffer.from(given, "latin1");
    if (bytes.length > 126) throw new RangeError(`too long: ${given}`);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  };
  return Buffer.concat([Buffer.from([0x10]), text(name), text(value)]);
}
