import { orderExchanges } from '../../../engine/dns/mail-exchanges.js';
import type { DnsAnswer } from '../../../engine/dns/resolver.js';
import { caaRecordsOf, nextCaaStep, type CaaLookUp } from '../../records/caa.js';
import { daneFact, tlsaName } from '../../records/dane.js';
import { dnssecFact } from '../../records/dnssec.js';
import type { ResolverValidation } from '../resolver-validation.js';
import type { PartCrawler } from '../part-crawler.js';

type Validation = Pick<ResolverValidation, 'validates'>;

/** Maximum mail hosts of the best preference; no domain has more. */
const MAX_HOSTS = 20;

/** Queries the SOA, which every zone has: any type shows whether the answer is validated. */
export function dnssec(validation: Validation): PartCrawler<'dnssec'> {
  return async ({ domain, queries }) => {
    const resolverValidates = await validation.validates();
    if (resolverValidates === null) queries.note('ours');
    if (resolverValidates !== true) return { dnssec: null };
    const checked = await queries.query(domain, 'SOA');
    const fails = checked.kind === 'failure' && checked.why === 'servfail';
    const unchecked = fails ? await queries.query(domain, 'SOA', { checkingDisabled: true }) : undefined;
    return { dnssec: dnssecFact({ resolverValidates, checked, unchecked }) };
  };
}

export function dane(validation: Validation): PartCrawler<'dane'> {
  return async ({ domain, queries, mail }) => {
    const resolverValidates = await validation.validates();
    if (resolverValidates === null) queries.note('ours');
    if (resolverValidates !== true) return { dane: null };
    const { mx } = await mail();
    const hosts = mx.kind !== 'failure' && mx.authenticated ? bestHosts(domain, mx) : [];
    const tlsa = await Promise.all(hosts.map((host) => queries.query(tlsaName(host), 'TLSA')));
    return { dane: daneFact({ resolverValidates, mx, tlsa }) };
  };
}

/** Climbs the tree, one query at a time (RFC 8659 3). */
export const caa: PartCrawler<'caa'> = async ({ domain, queries }) => {
  const lookUps: CaaLookUp[] = [];
  for (;;) {
    const step = nextCaaStep(domain, lookUps);
    if (step.kind === 'known') return { caa: step.caa };
    lookUps.push({ name: step.name, records: caaRecordsOf(await queries.query(step.name, 'CAA')) });
  }
};

/** The mail hosts of the best preference; the domain itself if it has no MX records. */
function bestHosts(domain: string, mx: DnsAnswer): readonly string[] {
  if (mx.kind === 'nodata') return [domain];
  if (mx.kind !== 'records') return [];
  const [best, ...others] = orderExchanges(mx.records, () => 0);
  if (best === undefined) return [];
  return [best, ...others.filter(({ preference }) => preference === best.preference)]
    .slice(0, MAX_HOSTS)
    .map(({ name }) => name);
}
