/*
 * Sessions that stay with an endpoint. The client keeps a token that names the endpoint without saying its address; the driver has
 * written such a name (a keyed hash) beside each endpoint. A token is good if the gateway signed it, if it is not too
 * old, and if the endpoint is one of the rule's backends right now.
 *
 * Token: version, time of issue in seconds, name of the endpoint, signature; separated by `-`, which none of them has.
 */
import crypto from "crypto";
import fs from "fs";

const form = /^1-([0-9a-z]{1,10})-([0-9a-f]{24})-([0-9a-f]{32})$/;

function sign(folder, session, content) {
  const secret = fs.readFileSync(folder + "/session-secret", "utf8");
  return crypto
    .createHmac("sha256", secret)
    .update("session\n" + session.type + "\n" + session.name + "\n" + content)
    .digest("hex")
    .slice(0, 32);
}

function issue(folder, session, endpointName, now) {
  const content = "1-" + Math.floor(now / 1000).toString(36) + "-" + endpointName;
  return content + "-" + sign(folder, session, content);
}

/** The name of the endpoint that a token stands for. */
function read(folder, session, text, now) {
  const parts = form.exec(text);
  if (!parts) return undefined;
  if (sign(folder, session, text.slice(0, text.lastIndexOf("-"))) !== parts[3]) return undefined;
  const age = now - parseInt(parts[1], 36) * 1000;
  if (session.absoluteTimeout > 0 && age >= session.absoluteTimeout) return undefined;
  return parts[2];
}

/** The tokens that a request carries; with cookies there may be several of one name. */
function tokensOf(session, request) {
  const value = request.header(session.type === "cookie" ? "cookie" : session.name.toLowerCase());
  if (value === undefined) return [];
  if (session.type === "header") return [value];
  const tokens = [];
  value.split(";").forEach((part) => {
    const pair = part.trim();
    if (pair.startsWith(session.name + "=")) tokens.push(pair.slice(session.name.length + 1));
  });
  return tokens;
}

/** The header of an answer that gives the client its token, as a pair. */
function header(session, token, isSecure) {
  if (session.type === "header") return [session.name.toLowerCase(), token];
  const path = /^(\/[\x21-\x3a\x3c-\x7e]*)?$/.test(session.path) ? session.path : "/";
  let cookie = session.name + "=" + token + (path && "; Path=" + path) + "; HttpOnly; SameSite=Strict";
  if (isSecure) cookie += "; Secure";
  if (session.lifetime === "permanent" && session.absoluteTimeout > 0) {
    cookie += "; Max-Age=" + Math.floor(session.absoluteTimeout / 1000);
  }
  return ["set-cookie", cookie];
}

export default { issue, read, tokensOf, header };
