export { decodeMessage } from "./decode.ts";
export { encodeMessage, typeUrlOf, typeUrlPrefix } from "./encode.ts";
export { MalformedMessage } from "./reader.ts";
