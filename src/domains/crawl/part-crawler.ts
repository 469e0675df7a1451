import type { CrawlPart, FactsOf } from './crawl-parts.js';
import type { MailView } from './mail-view.js';
import type { PartQueries } from './part-queries.js';

/** Input of one part of a crawl. */
export interface PartInput {
  /** Lowercase A-labels. */
  readonly domain: string;
  /** The part's own questions: failures noted here count for this part only. */
  readonly queries: PartQueries;
  /** Looked up once for all parts. Its failures are noted for each part that asks. */
  readonly mail: () => Promise<MailView>;
}

/** Finds the facts of one part, null for unknown ones. Ends with the deadline of its questions. */
export type PartCrawler<Part extends CrawlPart> = (input: PartInput) => Promise<FactsOf<Part>>;
