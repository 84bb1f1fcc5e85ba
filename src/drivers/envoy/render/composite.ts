/*
 * Filters that are made when a request has come to them and turns out to need them, by Envoy's composite filter. A script that is made for
 * nothing costs a tenth of what Envoy does for a plain request.
 */
import type {
  Any,
  ExecuteFilterAction,
  HttpFilter,
  Matcher,
  TypedExtensionConfig,
} from "../generated/messages.ts";

export interface CompositeOptions {
  /** For which requests something is made, where the route does not say; absent: for none. */
  readonly matcher?: Matcher;
  /** What routes name. Each is there once, however many routes do. */
  readonly chains?: ReadonlyMap<string, readonly TypedExtensionConfig[]>;
}

export function compositeFilter(
  name: string,
  { matcher = {}, chains = new Map() }: CompositeOptions = {},
): HttpFilter {
  const namedFilterChains = new Map(Array.from(chains, ([key, typedConfig]) => [key, { typedConfig }]));
  return {
    name,
    typedConfig: {
      type: "envoy.extensions.common.matching.v3.ExtensionWithMatcher",
      value: {
        extensionConfig: {
          name: "envoy.filters.http.composite",
          typedConfig: {
            type: "envoy.extensions.filters.http.composite.v3.Composite",
            value: chains.size > 0 ? { namedFilterChains } : {},
          },
        },
        xdsMatcher: matcher,
      },
    },
  };
}

/** What a route has its composite filter make. */
export function broughtAlong(name: string, value: ExecuteFilterAction): Any {
  return {
    type: "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute",
    value: { xdsMatcher: { onNoMatch: { action: action(name, value) } } },
  };
}

/** Makes it for requests with this header. */
export function ifPresent(header: string, name: string, value: ExecuteFilterAction): Matcher {
  const input = {
    name: header,
    typedConfig: {
      type: "envoy.type.matcher.v3.HttpRequestHeaderMatchInput",
      value: { headerName: header },
    },
  } as const;
  const valueMatch = { safeRegex: { googleRe2: {}, regex: ".+" } };
  return {
    matcherList: {
      matchers: [
        {
          predicate: { singlePredicate: { input, valueMatch } },
          onMatch: { action: action(name, value) },
        },
      ],
    },
  };
}

function action(name: string, value: ExecuteFilterAction): TypedExtensionConfig {
  return {
    name,
    typedConfig: { type: "envoy.extensions.filters.http.composite.v3.ExecuteFilterAction", value },
  };
}
