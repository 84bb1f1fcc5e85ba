import { describeKind } from "../../test/resources/kind-cases.ts";

const backend = { name: "web", port: 80 };
const rule = (more: object) => ({ rules: [more] });
const filtering = (...filters: unknown[]) => rule({ filters });
const matchingPath = (type: string | undefined, value: string) =>
  rule({ matches: [{ path: { type, value } }] });
const parents = (...parentRefs: unknown[]) => ({ parentRefs });

const prefix = { path: { type: "PathPrefix", value: "/a" } };
const replacingPrefix = { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/b" } };
const redirectPrefix = { type: "RequestRedirect", requestRedirect: replacingPrefix };
const rewritePrefix = { type: "URLRewrite", urlRewrite: replacingPrefix };
const setHeader = { set: [{ name: "X-A", value: "b" }] };

const plain = "when type one of ['Exact', 'PathPrefix']";
const characters =
  "must only contain valid characters (matching ^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$) for types ['Exact', 'PathPrefix']";
const path = "rules[0].matches[0].path.value";
const filter = "rules[0].filters[0]";
const manyMatches = (...counts: number[]) => ({
  rules: counts.map((count) => ({ matches: Array(count).fill(prefix) })),
});
const totalMatches =
  "While 16 rules and 64 matches per rule are allowed, the total number of matches across all rules in a route must be less than 128";

describeKind({
  kind: "HTTPRoute",
  valid: {
    "nothing at all": {},
    "a rule that says nothing": rule({}),
    "parents told apart by section": parents(
      { name: "a", sectionName: "http" },
      { name: "a", sectionName: "https" },
    ),
    "parents told apart by port, as the experimental channel has it": parents(
      { name: "a", port: 80 },
      { name: "a", port: 81 },
    ),
    "parents of the same name elsewhere": parents(
      { name: "a" },
      { name: "a", namespace: "b" },
      { name: "a", kind: "Service", group: "" },
    ),
    "wildcard hostnames": { hostnames: ["*.example.com", "example.com"] },
    "an exact path": matchingPath("Exact", "/a%20b/~c:@(d)!$&'*+,;=-._"),
    "a path with dots in names": matchingPath("PathPrefix", "/.well-known/..a/b."),
    "any text as regular expression": matchingPath("RegularExpression", "//[^#]+/../"),
    "128 matches": manyMatches(64, 64),
    "a redirect": filtering({
      type: "RequestRedirect",
      requestRedirect: { scheme: "https", statusCode: 308 },
    }),
    "a prefix replaced in a redirect": rule({ matches: [prefix], filters: [redirectPrefix] }),
    "a prefix replaced in a rewrite": rule({
      matches: [prefix],
      filters: [rewritePrefix],
      backendRefs: [backend],
    }),
    "a prefix replaced where every path matches": filtering(redirectPrefix),
    "a prefix replaced for two backends, which the API's rule overlooks": rule({
      matches: [{ path: { type: "Exact", value: "/a" } }],
      backendRefs: [
        { ...backend, filters: [rewritePrefix] },
        { ...backend, filters: [rewritePrefix] },
      ],
    }),
    "a mirror used twice": filtering(
      { type: "RequestMirror", requestMirror: { backendRef: backend, percent: 5 } },
      {
        type: "RequestMirror",
        requestMirror: { backendRef: backend, fraction: { numerator: 1, denominator: 1 } },
      },
    ),
    "extensions used twice": filtering(
      { type: "ExtensionRef", extensionRef: { group: "example.com", kind: "A", name: "a" } },
      { type: "ExtensionRef", extensionRef: { group: "example.com", kind: "A", name: "b" } },
    ),
    "all that CORS can say": filtering({
      type: "CORS",
      cors: {
        allowOrigins: ["https://example.com", "http://*.example.com:8080"],
        allowCredentials: true,
        allowMethods: ["GET", "POST"],
        allowHeaders: ["*"],
        exposeHeaders: ["X-A", "*"],
        maxAge: 1,
      },
    }),
    "authorization by HTTP and by gRPC": {
      rules: [
        {
          filters: [
            {
              type: "ExternalAuth",
              externalAuth: { protocol: "HTTP", backendRef: backend, http: { path: "/auth" } },
            },
          ],
        },
        {
          filters: [
            { type: "ExternalAuth", externalAuth: { protocol: "GRPC", backendRef: backend, grpc: {} } },
          ],
        },
      ],
    },
    "a backend of another kind without port": rule({
      backendRefs: [{ group: "example.com", kind: "Bucket", name: "a" }],
    }),
    "a backend of no weight": rule({ backendRefs: [{ ...backend, weight: 0 }] }),
    "a backend's timeout within the request's": rule({
      timeouts: { request: "1s", backendRequest: "1000ms" },
    }),
    "a request without limit": rule({ timeouts: { request: "0s", backendRequest: "10h" } }),
    retries: rule({ retry: { codes: [500, 503], attempts: 2, backoff: "100ms" } }),
    "a session": rule({
      sessionPersistence: {
        sessionName: "s",
        absoluteTimeout: "1h",
        cookieConfig: { lifetimeType: "Permanent" },
      },
    }),
    "named rules": { rules: [{ name: "a" }, { name: "b" }, {}, {}] },
    "default gateways": { useDefaultGateways: "All" },
    "header values that only the standard channel takes": rule({
      matches: [{ headers: [{ name: "a", value: "b  c ü" }] }],
    }),
  },
  invalid: {
    "no rules": [{ rules: [] }, "rules: must not be empty"],
    "too many rules": [{ rules: Array(17).fill({}) }, "rules: must have at most 16 items, but has 17"],
    "parents with and without section": [
      parents({ name: "a" }, { name: "a", sectionName: "http" }),
      "parentRefs[1]: sectionName or port must be specified when parentRefs includes 2 or more references to the same parent",
    ],
    "one parent twice": [
      parents(
        { name: "a", namespace: "b", port: 80 },
        { name: "c" },
        { name: "a", namespace: "b", port: 80 },
      ),
      "parentRefs[2]: sectionName or port must be unique when parentRefs includes 2 or more references to the same parent",
    ],
    "hostnames that are none": [
      { hostnames: ["example.com:80"] },
      'hostnames[0]: "example.com:80" must be a lowercase DNS name, such as example.com or *.example.com (matching ^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)',
    ],
    "129 matches": [manyMatches(64, 64, 1), `rules: ${totalMatches}`],
    "two rules of one name": [
      { rules: [{ name: "a" }, { name: "a" }] },
      "rules[1]: Rule name must be unique within the route",
    ],
    "a relative path": [
      matchingPath("Exact", "a"),
      `${path}: value must be an absolute path and start with '/' ${plain}`,
    ],
    "an empty path": [
      matchingPath(undefined, ""),
      `${path}: value must be an absolute path and start with '/' ${plain}`,
      `${path}: ${characters}`,
    ],
    "a doubled slash": [matchingPath("Exact", "/a//b"), `${path}: must not contain '//' ${plain}`],
    "a step that stays": [matchingPath("Exact", "/a/./b"), `${path}: must not contain '/./' ${plain}`],
    "a step up": [matchingPath("Exact", "/a/../b"), `${path}: must not contain '/../' ${plain}`],
    "an encoded slash": [matchingPath("Exact", "/a%2fb"), `${path}: must not contain '%2f' ${plain}`],
    "an encoded slash in capitals": [
      matchingPath("Exact", "/a%2Fb"),
      `${path}: must not contain '%2F' ${plain}`,
    ],
    "a fragment": [
      matchingPath("Exact", "/a#b"),
      `${path}: must not contain '#' ${plain}`,
      `${path}: ${characters}`,
    ],
    "a last step up": [matchingPath("PathPrefix", "/a/.."), `${path}: must not end with '/..' ${plain}`],
    "a last step that stays": [
      matchingPath("PathPrefix", "/a/."),
      `${path}: must not end with '/.' ${plain}`,
    ],
    "a newline in a path": [matchingPath("Exact", "/a\nb"), `${path}: ${characters}`],
    "half an escape in a path": [matchingPath("Exact", "/a%2"), `${path}: ${characters}`],
    "another type of path": [
      matchingPath("Prefix", "/"),
      'rules[0].matches[0].path.type: must be one of Exact, PathPrefix, RegularExpression, not "Prefix"',
    ],
    "a method in small letters": [
      rule({ matches: [{ method: "get" }] }),
      'rules[0].matches[0].method: must be one of GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, TRACE, PATCH, not "get"; did you mean "GET"?',
    ],
    "one header twice": [
      rule({
        matches: [
          {
            headers: [
              { name: "a", value: "b" },
              { name: "a", value: "c" },
            ],
          },
        ],
      }),
      "rules[0].matches[0].headers[1]: must not be in the list twice: each item needs its own name",
    ],
    "a redirect beside backends": [
      rule({ filters: [{ type: "RequestRedirect", requestRedirect: {} }], backendRefs: [backend] }),
      "rules[0]: RequestRedirect filter must not be used together with backendRefs",
    ],
    "a prefix replaced without one prefix": [
      {
        rules: [
          { matches: [prefix, prefix], filters: [redirectPrefix] },
          { matches: [], filters: [rewritePrefix] },
          { matches: [prefix, prefix], backendRefs: [{ ...backend, filters: [redirectPrefix] }] },
          {
            matches: [{ path: { type: "Exact", value: "/a" } }],
            backendRefs: [{ ...backend, filters: [rewritePrefix] }],
          },
        ],
      },
      "rules[0]: When using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
      "rules[1]: When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
      "rules[2]: Within backendRefs, when using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
      "rules[3]: Within backendRefs, When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
    ],
    "path changes that do not fit their type": [
      filtering({
        type: "URLRewrite",
        urlRewrite: { path: { type: "ReplaceFullPath", replacePrefixMatch: "/" } },
      }),
      `${filter}.urlRewrite.path: replaceFullPath must be specified when type is set to 'ReplaceFullPath'`,
      `${filter}.urlRewrite.path: type must be 'ReplacePrefixMatch' when replacePrefixMatch is set`,
    ],
    "path changes that do not fit their other type": [
      filtering({
        type: "URLRewrite",
        urlRewrite: { path: { type: "ReplacePrefixMatch", replaceFullPath: "/" } },
      }),
      `${filter}.urlRewrite.path: type must be 'ReplaceFullPath' when replaceFullPath is set`,
      `${filter}.urlRewrite.path: replacePrefixMatch must be specified when type is set to 'ReplacePrefixMatch'`,
    ],
    "filters without what their type asks for": [
      filtering(
        { type: "CORS" },
        { type: "RequestHeaderModifier" },
        { type: "ResponseHeaderModifier" },
        { type: "RequestMirror" },
        { type: "RequestRedirect" },
        { type: "URLRewrite" },
        { type: "ExtensionRef" },
        { type: "ExternalAuth" },
      ),
      "rules[0].filters[0].cors: filter.cors must be specified for CORS filter.type",
      "rules[0].filters[1].requestHeaderModifier: filter.requestHeaderModifier must be specified for RequestHeaderModifier filter.type",
      "rules[0].filters[2].responseHeaderModifier: filter.responseHeaderModifier must be specified for ResponseHeaderModifier filter.type",
      "rules[0].filters[3].requestMirror: filter.requestMirror must be specified for RequestMirror filter.type",
      "rules[0].filters[4].requestRedirect: filter.requestRedirect must be specified for RequestRedirect filter.type",
      "rules[0].filters[5].urlRewrite: filter.urlRewrite must be specified for URLRewrite filter.type",
      "rules[0].filters[6].extensionRef: filter.extensionRef must be specified for ExtensionRef filter.type",
      "rules[0].filters[7].externalAuth: filter.externalAuth must be specified for ExternalAuth filter.type",
    ],
    "filters with more than their type asks for": [
      filtering(
        {
          type: "ExtensionRef",
          extensionRef: { group: "example.com", kind: "A", name: "a" },
          cors: {},
          requestHeaderModifier: {},
          responseHeaderModifier: {},
          requestMirror: { backendRef: backend },
          requestRedirect: {},
          urlRewrite: {},
          externalAuth: { protocol: "GRPC", backendRef: backend, grpc: {} },
        },
        { type: "CORS", cors: {}, extensionRef: { group: "example.com", kind: "A", name: "a" } },
      ),
      `${filter}.cors: filter.cors must be nil if the filter.type is not CORS`,
      `${filter}.requestHeaderModifier: filter.requestHeaderModifier must be nil if the filter.type is not RequestHeaderModifier`,
      `${filter}.responseHeaderModifier: filter.responseHeaderModifier must be nil if the filter.type is not ResponseHeaderModifier`,
      `${filter}.requestMirror: filter.requestMirror must be nil if the filter.type is not RequestMirror`,
      `${filter}.requestRedirect: filter.requestRedirect must be nil if the filter.type is not RequestRedirect`,
      `${filter}.urlRewrite: filter.urlRewrite must be nil if the filter.type is not URLRewrite`,
      `${filter}.externalAuth: filter.externalAuth must be nil if the filter.type is not ExternalAuth`,
      "rules[0].filters[1].extensionRef: filter.extensionRef must be nil if the filter.type is not ExtensionRef",
    ],
    "filters used twice": [
      filtering(
        ...[1, 2].flatMap(() => [
          { type: "CORS", cors: {} },
          { type: "RequestHeaderModifier", requestHeaderModifier: setHeader },
          { type: "ResponseHeaderModifier", responseHeaderModifier: setHeader },
          { type: "RequestRedirect", requestRedirect: {} },
          { type: "URLRewrite", urlRewrite: {} },
        ]),
      ),
      "rules[0].filters: May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, but not both",
      "rules[0].filters[5]: CORS filter cannot be repeated",
      "rules[0].filters[6]: RequestHeaderModifier filter cannot be repeated",
      "rules[0].filters[7]: ResponseHeaderModifier filter cannot be repeated",
      "rules[0].filters[8]: RequestRedirect filter cannot be repeated",
      "rules[0].filters[9]: URLRewrite filter cannot be repeated",
    ],
    "a star beside others": [
      filtering({
        type: "CORS",
        cors: { allowOrigins: ["*", "https://a"], allowMethods: ["GET", "*"], allowHeaders: ["*", "X-A"] },
      }),
      `${filter}.cors.allowOrigins: AllowOrigins cannot contain '*' alongside other origins`,
      `${filter}.cors.allowMethods: AllowMethods cannot contain '*' alongside other methods`,
      `${filter}.cors.allowHeaders: AllowHeaders cannot contain '*' alongside other methods`,
    ],
    "one origin twice": [
      filtering({ type: "CORS", cors: { allowOrigins: ["https://a", "https://a"] } }),
      `${filter}.cors.allowOrigins[1]: must not be in the list twice`,
    ],
    "authorization without its protocol": [
      {
        rules: [
          {
            filters: [
              { type: "ExternalAuth", externalAuth: { protocol: "GRPC", backendRef: backend, http: {} } },
            ],
          },
          {
            filters: [
              { type: "ExternalAuth", externalAuth: { protocol: "HTTP", backendRef: backend, grpc: {} } },
            ],
          },
        ],
      },
      "rules[0].filters[0].externalAuth: grpc must be specified when protocol is set to 'GRPC'",
      "rules[0].filters[0].externalAuth: protocol must be 'HTTP' when http is set",
      "rules[1].filters[0].externalAuth: protocol must be 'GRPC' when grpc is set",
      "rules[1].filters[0].externalAuth: http must be specified when protocol is set to 'HTTP'",
    ],
    "a mirror of percent and fraction": [
      filtering({
        type: "RequestMirror",
        requestMirror: { backendRef: backend, percent: 1, fraction: { numerator: 1 } },
      }),
      `${filter}.requestMirror: Only one of percent or fraction may be specified in HTTPRequestMirrorFilter`,
    ],
    "more than all": [
      filtering({
        type: "RequestMirror",
        requestMirror: { backendRef: backend, fraction: { numerator: 101 } },
      }),
      `${filter}.requestMirror.fraction: numerator must be less than or equal to denominator`,
    ],
    "a Service without port": [
      rule({ backendRefs: [{ name: "web" }] }),
      "rules[0].backendRefs[0]: Must have port for Service reference",
    ],
    "a backend's timeout beyond the request's": [
      rule({ timeouts: { request: "1s", backendRequest: "1001ms" } }),
      "rules[0].timeouts: backendRequest timeout cannot be longer than request timeout",
    ],
    "a permanent session without end, and cookies by header": [
      {
        rules: [
          { sessionPersistence: { cookieConfig: { lifetimeType: "Permanent" } } },
          { sessionPersistence: { type: "Header", cookieConfig: {} } },
        ],
      },
      "rules[0].sessionPersistence: AbsoluteTimeout must be specified when cookie lifetimeType is Permanent",
      "rules[1].sessionPersistence: cookieConfig can only be set with type Cookie",
    ],
    "misspelt fields": [
      { hostname: ["a"], rules: [{ backendRef: [] }] },
      "rules[0].backendRef: is not a known field; did you mean backendRefs?",
      "hostname: is not a known field; did you mean hostnames?",
    ],
  },
  unreachable: ["type must be one of ['Exact', 'PathPrefix', 'RegularExpression']"],
});
