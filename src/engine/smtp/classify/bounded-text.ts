/** Characters of a reply that are read; the longest real replies say what they mean well before. */
export const MAX_TEXT = 2_048;

/** Joins the lines of a reply into a text of at most `MAX_TEXT` characters. */
export function boundedText(lines: readonly string[]): string {
  let text = (lines[0] ?? '').slice(0, MAX_TEXT);
  for (let index = 1; index < lines.length && text.length < MAX_TEXT; index += 1) {
    text += ` ${lines[index]!.slice(0, MAX_TEXT - text.length)}`;
  }
  return text.slice(0, MAX_TEXT);
}
