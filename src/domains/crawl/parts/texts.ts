import { getDomain } from 'tldts';
import { bimiFact, bimiNames } from '../../records/bimi-record.js';
import { dmarcFacts, nextDmarcStep, type DmarcLookUp } from '../../records/dmarc-walk.js';
import { spfFact } from '../../records/spf-record.js';
import { tlsRptFact } from '../../records/tls-rpt-record.js';
import type { PartCrawler } from '../part-crawler.js';

export const spf: PartCrawler<'spf'> = async ({ domain, queries }) => {
  return { spf: spfFact(await queries.texts(domain)) };
};

export const tlsRpt: PartCrawler<'tls_rpt'> = async ({ domain, queries }) => {
  return { tlsRpt: tlsRptFact(await queries.texts(`_smtp._tls.${domain}`)) };
};

export const bimi: PartCrawler<'bimi'> = async ({ domain, queries }) => {
  const names = bimiNames(domain, registrableDomain(domain));
  return { bimi: bimiFact(await Promise.all(names.map((name) => queries.texts(name)))) };
};

/** Walks up the tree, one query at a time (RFC 9989 4.10). */
export const dmarc: PartCrawler<'dmarc'> = async ({ domain, queries }) => {
  const { kind } = await queries.query(domain, 'MX');
  const exists = kind === 'failure' ? null : kind !== 'nxdomain';
  const lookUps: DmarcLookUp[] = [];
  for (;;) {
    const step = nextDmarcStep(domain, lookUps, exists);
    if (step.kind !== 'ask') return dmarcFacts(step);
    lookUps.push({ domain: step.domain, texts: await queries.texts(step.name) });
  }
};

/** The domain's organisational domain, right below a public suffix; the domain itself if there is none. */
export function registrableDomain(domain: string): string {
  return getDomain(domain, { validateHostname: false }) ?? domain;
}
