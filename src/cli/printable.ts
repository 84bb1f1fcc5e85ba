// What others wrote must not steer the reader's terminal: colours, cursor movements, lines that look like ours,
// text that runs the other way.
// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const lineBreaks = /\r\n|[\r\n\t]/g;

/** Text from outside on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(lineBreaks, " ").replace(steering, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
