export { decodeMessage } from "./decode.ts";
export { encodeMessage, typeUrlOf } from "./encode.ts";
export { MalformedMessage } from "./reader.ts";
