import { REFERENCE_FILES, referencePage } from './reference-page.js';
import { staticFile, type StaticFile } from './static-file.js';

/** The description and its page, created at the first request and then kept: most processes never serve them. */
export class ServedFiles {
  private readonly kept = new Map<string, Promise<StaticFile>>();

  /** @param description OpenAPI document as text */
  constructor(private readonly description: () => string) {}

  document(): Promise<StaticFile> {
    return this.keep('', () => staticFile('application/json; charset=utf-8', this.description()));
  }

  page(): Promise<StaticFile> {
    return this.keep('/', referencePage);
  }

  /** Returns a file of the page; null if there is none with this name. */
  file(name: string): Promise<StaticFile> | null {
    const make = Object.hasOwn(REFERENCE_FILES, name) ? REFERENCE_FILES[name] : undefined;
    return make === undefined ? null : this.keep(name, make);
  }

  private keep(name: string, make: () => Promise<StaticFile>): Promise<StaticFile> {
    let file = this.kept.get(name);
    if (file === undefined) {
      file = make();
      this.kept.set(name, file);
      // The next request tries again.
      file.catch(() => this.kept.delete(name));
    }
    return file;
  }
}
