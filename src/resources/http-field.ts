const token = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;
// eslint-disable-next-line no-control-regex
const unfit = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;

/** Whether a text can be the name of an HTTP field (RFC 9110, section 5.1). */
export function isFieldName(text: string): boolean {
  return token.test(text);
}

/** Whether a text can be the value of an HTTP field: no control character, no character beyond Latin-1 (RFC 9110, section 5.5). */
export function isFieldValue(text: string): boolean {
  return !unfit.test(text);
}
