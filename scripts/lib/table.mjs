/**
 * Columns of equal width under their titles; a column whose values are all numbers stands to the right.
 * @param {string[]} titles
 * @param {(string | number)[][]} rows
 * @returns {string} lines, each indented by two spaces
 */
export function table(titles, rows) {
  const columns = titles.map((title, index) => {
    const cells = rows.map((row) => row[index]);
    return {
      width: Math.max(title.length, ...cells.map((cell) => String(cell).length)),
      right: cells.length > 0 && cells.every((cell) => typeof cell === 'number'),
    };
  });
  const line = (cells) =>
    `  ${cells
      .map((cell, index) => {
        const { width, right } = columns[index];
        return right ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join('  ')
      .trimEnd()}`;
  return [titles, columns.map(({ width }) => '-'.repeat(width)), ...rows].map(line).join('\n');
}
