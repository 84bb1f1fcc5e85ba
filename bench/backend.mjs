// The backend of all proxies: answers every request with the same 1 KB, at as little cost as Node can, so that it does not
// take the processor from what is measured. A header says at which address it was asked.

import { createServer } from "node:net";

const [port, address = "127.0.0.1"] = process.argv.slice(2);
const body = "gatewright ".repeat(94).slice(0, 1024);
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\nx-backend: ${address}\r\n\r\n${body}`,
);

createServer((socket) => {
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  // Requests have no bodies here, so each ends with an empty line.
  socket.on("data", (chunk) => {
    for (let at = chunk.indexOf("\r\n\r\n"); at >= 0; at = chunk.indexOf("\r\n\r\n", at + 4))
      socket.write(answer);
  });
}).listen(Number(port), address);
