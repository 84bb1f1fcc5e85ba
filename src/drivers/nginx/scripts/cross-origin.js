/* Cross-origin requests: as `cors.ts` of the model, in the part of JavaScript that njs knows. */
const originForm = /^(https?):\/\/([a-z0-9._*-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/;

/** `undefined`: nothing to do with CORS. `{ isPreflight, headers }`, pairs; `vary` is added to the backend's own. */
function judge(policy, request) {
  const origin = request.header("origin");
  if (!origin) return undefined;
  const requestMethod = request.header("access-control-request-method");
  const requestHeaders = request.header("access-control-request-headers");
  const isPreflight = request.method === "OPTIONS" && !!requestMethod;
  const headers = [];
  const add = (name, value) => {
    if (value) headers.push(["access-control-" + name, value]);
  };
  if (policy.allowOrigins.some((pattern) => allowsOrigin(pattern, origin))) {
    add("allow-origin", origin);
    if (policy.allowCredentials) add("allow-credentials", "true");
    if (isPreflight) {
      add("allow-methods", listOf(policy.allowMethods, requestMethod));
      add("allow-headers", listOf(policy.allowHeaders, requestHeaders));
      add("max-age", String(policy.maxAge));
    }
    add("expose-headers", listOf(policy.exposeHeaders, policy.allowCredentials ? undefined : "*"));
  }
  headers.push(["vary", "Origin"]);
  return { isPreflight: isPreflight, headers: headers };
}

function listOf(values, instead) {
  return values.indexOf("*") >= 0 ? instead : values.join(", ");
}

function allowsOrigin(pattern, origin) {
  if (pattern === "*" || pattern === origin) return true;
  const wanted = parseOrigin(pattern);
  const given = parseOrigin(origin);
  if (!wanted || !given || wanted.scheme !== given.scheme || wanted.port !== given.port) return false;
  const star = wanted.host.indexOf("*");
  if (star < 0) return wanted.host === given.host;
  const before = wanted.host.slice(0, star);
  const after = wanted.host.slice(star + 1);
  return (
    given.host.length > before.length + after.length &&
    given.host.startsWith(before) &&
    given.host.endsWith(after)
  );
}

function parseOrigin(origin) {
  const parts = originForm.exec(origin.toLowerCase());
  if (!parts) return undefined;
  return { scheme: parts[1], host: parts[2], port: parts[3] || (parts[1] === "https" ? "443" : "80") };
}

export default { judge };
