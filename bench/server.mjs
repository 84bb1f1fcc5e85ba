// A bare node:http server that answers everything with 1 KB: what the proxy is compared with, and a backend of routes.

import { createServer } from "node:http";

const port = Number(process.argv[2]);
const body = Buffer.alloc(1024, "gatewright ");
// The port tells a client which of two backends has answered.
const headers = { "content-type": "text/plain", "content-length": body.length, "x-backend": port };

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(port, "127.0.0.1");
