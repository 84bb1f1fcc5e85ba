export { decodeMessage } from "./decode.ts";
export { constant, encodeMessage, typeUrlOf, withEncoded } from "./encode.ts";
export { MalformedMessage } from "./reader.ts";
