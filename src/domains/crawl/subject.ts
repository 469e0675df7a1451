import type { CrawlPart, FactsOf } from './crawl-parts.js';
import type { MailView } from './mail-view.js';
import type { Questions } from './questions.js';

/** What a part of a crawl gets to work with. */
export interface Subject {
  /** Lowercase A-labels. */
  readonly domain: string;
  /** Its own: what it notes is held against this part alone. */
  readonly questions: Questions;
  /** Looked up once for all parts. What went wrong with it is noted for each that asks. */
  readonly mail: () => Promise<MailView>;
}

/** Finds out the facts of one part, null for what it cannot. Ends with the deadline of its questions. */
export type Inquirer<Part extends CrawlPart> = (subject: Subject) => Promise<FactsOf<Part>>;
