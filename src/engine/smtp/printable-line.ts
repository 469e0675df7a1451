/**
 * Makes a mail host's line safe to show: control characters, which could drive a terminal, become `\xNN`; the line is
 * cut at 512 characters.
 */
export function printableLine(line: string): string {
  const shown = line.length > 512 ? `${line.slice(0, 512)}…` : line;
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return shown.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escape);
}

function escape(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
}
