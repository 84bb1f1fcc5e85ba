// A data plane that only says what it is told. Saved as printing-driver.mjs:  node printing-driver.mjs FOLDER
import { createController, driverFromControllers, fileSource } from "gatewright";

const driver = driverFromControllers(
  {
    listeners: {
      addListener: (name, { protocol, port }) => console.log("open", name, protocol, port),
      updateListener: (name, { protocol, port }) => console.log("change", name, protocol, port),
      removeListener: (name) => console.log("close", name),
    },
    certificates: {
      addCertificate: (name) => console.log("keep", name),
      removeCertificate: (name) => console.log("forget", name),
    },
    backends: {
      addBackend: (name, endpoints) => console.log("add", name, endpoints),
      updateBackend: (name, endpoints) => console.log("change", name, endpoints),
      removeBackend: (name) => console.log("remove", name),
    },
    routes: {
      addRoute: (name, listener, route) => console.log("add", name, "to", listener, route.type),
      updateRoute: (name, listener, route) => console.log("change", name, "of", listener, route.type),
      removeRoute: (name, listener) => console.log("remove", name, "from", listener),
    },
  },
  { name: "printing", features: new Set(["Gateway", "HTTPRoute", "ReferenceGrant"]) },
);

const controller = createController({ source: fileSource({ paths: [process.argv[2] ?? "."] }), driver });
await controller.start();
process.once("SIGINT", () => void controller.stop());
