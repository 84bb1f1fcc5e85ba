import type { WeightedBackend } from "./backend.ts";
import type { CorsPolicy, ExternalAuth, HeaderChanges, Mirror, Redirect, Rewrite } from "./filter.ts";

/** A backend of an HTTP rule, with the filters that hold only for it. Backends of weight 0 are left out. */
export interface HttpBackend extends WeightedBackend {
  readonly requestHeaders?: HeaderChanges;
  readonly responseHeaders?: HeaderChanges;
  readonly rewrite?: Rewrite;
  readonly redirect?: Redirect;
  readonly cors?: CorsPolicy;
  readonly auth?: ExternalAuth;
  readonly mirrors?: readonly Mirror[];
}
