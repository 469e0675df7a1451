/** A file that the page does not take. The message is a plain sentence for the person who chose it. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

/** Why a file was not read, for the person who chose it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof FileRefusal) return error.message;
  return 'This file cannot be read. Open it in a spreadsheet, save it as CSV, and choose that file.';
}
