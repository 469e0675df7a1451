/** A file that the page does not take. The message is a plain sentence for the person who chose it. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}
