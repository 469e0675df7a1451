import type { HttpsClient } from '../../../platform/https/https-client.js';
import type { HttpsOutcome } from '../../../platform/https/http-exchange.js';
import {
  isPolicyMediaType,
  MAX_POLICY_OCTETS,
  mtaStsFact,
  parseMtaStsPolicy,
  type MtaStsMode,
} from '../../records/mta-sts-policy.js';
import { announcesMtaSts, mtaStsPolicyUrl } from '../../records/mta-sts-record.js';
import type { PartQueries } from '../part-queries.js';
import type { PartCrawler } from '../part-crawler.js';

/** The policy's mode; null: none that a sender could use; undefined: unknown. */
type Fetched = MtaStsMode | null | undefined;

/** Not `URL`, which rejects some A-labels that are valid in DNS. */
const URL_PARTS = /^https:\/\/([^/]+)(\/.*)$/;
/** Other statuses may be permanent; these mean that the server is temporarily unable to answer. */
const PASSING_STATUSES = new Set([408, 425, 429]);

/** Fetches the file only if a record announces it (RFC 8461 3.1). */
export function mtaSts(https: Pick<HttpsClient, 'ask'>): PartCrawler<'mta_sts'> {
  return async ({ domain, queries }) => {
    const announced = announcesMtaSts(await queries.texts(`_mta-sts.${domain}`));
    const policy = announced === true ? await fetchPolicy(domain, queries, https) : undefined;
    return { mtaSts: mtaStsFact(announced, policy) };
  };
}

async function fetchPolicy(domain: string, queries: PartQueries, https: Pick<HttpsClient, 'ask'>): Promise<Fetched> {
  const { deadline } = queries;
  const [, host = '', path = ''] = URL_PARTS.exec(mtaStsPolicyUrl(domain)) ?? [];
  const headers = { accept: 'text/plain' };
  const outcome = await https.ask({ host, path, headers, maxOctets: MAX_POLICY_OCTETS, deadline });
  const policy = policyOf(outcome);
  if (policy === undefined) queries.note(outcome.kind === 'failed' && outcome.ours ? 'ours' : 'theirs');
  return policy;
}

/** For senders, a certificate for another host or an invalid file means that there is no policy. */
function policyOf(outcome: HttpsOutcome): Fetched {
  if (outcome.kind === 'failed') return undefined;
  if (outcome.kind === 'refused') return null;
  const { status, headers, body } = outcome;
  if (status >= 500 || PASSING_STATUSES.has(status)) return undefined;
  return body !== null && isPolicyMediaType(headers['content-type'] ?? null) ? parseMtaStsPolicy(body) : null;
}
