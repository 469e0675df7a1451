import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../../shared/data');

/**
 * The text of a file of the measuring data beside the repository, by its path below that folder; null, and a printed
 * line, where the data are missing: such tests are skipped, by `(data === null ? describe.skip : describe)(...)`.
 */
export function sharedData(name: string): string | null {
  const path = resolve(FOLDER, name);
  if (!existsSync(path)) {
    process.stdout.write(`skipped: ${name} is not in the measuring data beside the repository\n`);
    return null;
  }
  return readFileSync(path, 'utf8');
}

/** The values of a JSON-lines text. */
export function jsonLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The rows below the heading of a tab-separated text, as objects by column name. */
export function tsvRows(text: string): Record<string, string>[] {
  const [heading = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const columns = heading.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']));
  });
}
