/** Rows under headings, aligned with spaces, without a final line break. Null is `-`, times are UTC. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(show))];
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[column] ?? '')), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values in two aligned columns. */
export function fields(values: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(values).map(widthOf));
  return Object.entries(values)
    .map(([name, value]) => `${pad(name, width)}  ${show(value)}`)
    .join('\n');
}

export type Cell = string | number | Date | null;

function show(cell: Cell): string {
  if (cell === null) return '-';
  return cell instanceof Date
    ? cell
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
    : String(cell);
}

function widthOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text));
}
