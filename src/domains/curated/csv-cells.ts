/**
 * Splits one line of CSV (RFC 4180) into trimmed cells; a quoted cell must end on its line. Null if quotes are
 * unbalanced or text stands next to a quoted cell.
 */
export function csvCells(line: string): string[] | null {
  const cells: string[] = [];
  for (let start = 0; start <= line.length;) {
    const cell = line.startsWith('"', skipSpaces(line, start)) ? quotedCell(line, start) : plainCell(line, start);
    if (cell === null) return null;
    cells.push(cell.text);
    start = cell.end + 1;
  }
  return cells;
}

interface Cell {
  readonly text: string;
  /** Position of the comma or the end of the line. */
  readonly end: number;
}

function plainCell(line: string, start: number): Cell | null {
  const comma = line.indexOf(',', start);
  const end = comma < 0 ? line.length : comma;
  const text = line.slice(start, end).trim();
  return text.includes('"') ? null : { text, end };
}

function quotedCell(line: string, start: number): Cell | null {
  const open = skipSpaces(line, start);
  let close = line.indexOf('"', open + 1);
  while (close >= 0 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
  if (close < 0) return null;
  const end = skipSpaces(line, close + 1);
  if (end < line.length && line[end] !== ',') return null;
  return {
    text: line
      .slice(open + 1, close)
      .replaceAll('""', '"')
      .trim(),
    end,
  };
}

function skipSpaces(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return at;
}
