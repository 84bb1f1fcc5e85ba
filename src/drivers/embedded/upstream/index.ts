export {
  createUpstreamBackend,
  type UpstreamBackend,
  type UpstreamBackendOptions,
} from "./upstream-backend.ts";
export { createTlsClient, type UpstreamTls } from "../../backend-tls.ts";
export { UpstreamEndpoint } from "./upstream-endpoint.ts";
export { UpstreamError, type UpstreamFailure } from "./upstream-error.ts";
export { isFieldName, isFieldValue, listedTokens } from "./field-lines.ts";
export { headerObject } from "./http2-call.ts";
export {
  type AnswerBody,
  type HeaderList,
  type UpstreamCall,
  type UpstreamHandler,
  type UpstreamLimits,
  type UpstreamRequest,
} from "./upstream-call.ts";
