import type { DnsAnswer } from '../../../engine/dns/resolver.js';
import type { PartCrawler } from '../part-crawler.js';
import { isNullMx } from '../../records/null-mx.js';

export const mailHosts: PartCrawler<'mail_hosts'> = async ({ mail }) => {
  const { mx, hasHost, names } = await mail();
  const nullMx = mx.kind === 'failure' ? null : mx.kind === 'records' && isNullMx(mx.records);
  return { mx: hasHost, nullMx, mailHosts: names };
};

/** Enough to recognize a parking company. */
const MAX_KEPT = 20;

export const nameServers: PartCrawler<'name_servers'> = async ({ domain, queries }) => {
  const answer = await queries.query(domain, 'NS');
  const names = (data: DnsData): string[] => (data.type === 'NS' ? [data.name] : []);
  return { nameServers: valuesOf([answer], names) };
};

/** Addresses of the domain and of `www.` below it. */
export const addresses: PartCrawler<'addresses'> = async ({ domain, queries }) => {
  const names = [domain, `www.${domain}`];
  const answers = await Promise.all(names.flatMap((name) => [queries.query(name, 'A'), queries.query(name, 'AAAA')]));
  const ips = (data: DnsData): string[] => (data.type === 'A' || data.type === 'AAAA' ? [data.address] : []);
  return { addresses: valuesOf(answers, ips) };
};

type DnsData = Extract<DnsAnswer, { kind: 'records' }>['records'][number];

/** Without repeats; null if an answer is missing. */
function valuesOf(answers: readonly DnsAnswer[], read: (data: DnsData) => string[]): readonly string[] | null {
  if (answers.some(({ kind }) => kind === 'failure')) return null;
  const values = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records.flatMap(read) : []));
  return [...new Set(values)].slice(0, MAX_KEPT);
}
