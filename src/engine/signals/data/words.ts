/** Splits a table written as one text into its words. */
export function words(table: string): readonly string[] {
  return table.trim().split(/\s+/);
}
