import { directive, variable, type Directive } from "./directive.ts";
import type { ListenerShape } from "./listener-shape.ts";

/** Of one request; `requests.js` knows the number as well. */
export const mostMirrors = 8;

/** By which scripts tell NGINX what they decided, and themselves what they decided before. */
const names = [
  ..."action after answer_headers backend body choice connection cors deadline endpoint forwarded grpc head head_bytes host log_host".split(
    " ",
  ),
  ..."id kept next out path route rule stage state target tls_certificate tls_name try_deadline up".split(
    " ",
  ),
  ..."ask_certificate ask_head ask_method ask_name ask_target ask_up".split(" "),
];

export function scriptVariables({ headerNames }: ListenerShape): Directive[] {
  const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
  const all = [
    ...names,
    ...indexes(mostMirrors).flatMap((index) => [
      `mirror_${index}`,
      ...["up", "name", "certificate"].map((part) => `mirror_${part}_${index}`),
    ]),
    ...headerNames.map((_, index) => `header_${index}`),
  ];
  const calculated = {
    gw_location: "route",
    gw_certificate_1: "firstCertificate",
    gw_certificate_2: "secondCertificate",
  };
  return [
    ...all.map((name) => directive("js_var", [variable(`gw_${name}`)])),
    directive("js_var", [variable("gw_names")], headerNames.join(" ")),
    ...Object.entries(calculated).map(([name, handler]) =>
      directive("js_set", [variable(name)], `requests.${handler}`),
    ),
  ];
}
