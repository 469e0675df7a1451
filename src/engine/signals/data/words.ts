/** The words of a table written as one text. */
export function words(table: string): readonly string[] {
  return table.trim().split(/\s+/);
}
