/** A table of Markdown. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`.replaceAll(
      /\|  (?=\|)/g,
      '| ',
    );
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** A count as people write it. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');

const MARKED = /(<!-- generated: ([a-z-]+) -->\n)[\s\S]*?(<!-- end of generated -->)/g;

/**
 * A document with what stands between its marks made anew.
 * @throws Error for a mark of a section that does not exist
 */
export function withSections(document: string, sections: Readonly<Record<string, () => string>>): string {
  return document.replaceAll(MARKED, (_, begin: string, name: string, end: string) => {
    const section = sections[name];
    if (section === undefined) throw new Error(`no section is called ${name}`);
    return `${begin}${section()}\n${end}`;
  });
}

/** The names of the sections that a document marks. */
export function sectionsOf(document: string): string[] {
  return [...document.matchAll(MARKED)].map(([, , name = '']) => name);
}
