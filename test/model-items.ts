export {
  backendItem,
  endpointsItem,
  listenerItem,
  rule,
  serverNameItem,
  streamRouteItem,
  to,
  virtualHostItem,
} from "../src/driver-kit/items.ts";
