import { Deadline } from '../../src/engine/deadline.js';
import { MailHostFinder, type MailHostFinderOptions } from '../../src/engine/dns/mail-host-finder.js';
import type { MailHostsFinding } from '../../src/engine/dns/mail-hosts.js';
import type { DnsAnswer, QueryOptions, RecordData, RecordType, Resolver } from '../../src/engine/dns/resolver.js';
import type { TraceEvent } from '../../src/engine/trace.js';

export type Zone = Record<string, DnsAnswer | Promise<DnsAnswer> | ((deadline: Deadline) => Promise<DnsAnswer>)>;

/** Answers from a table keyed by `TYPE name`; what is not in it has no such record. Counts what it is asked. */
class TableResolver implements Resolver {
  readonly asked: string[] = [];

  constructor(private readonly zone: Zone) {}

  query(name: string, type: RecordType, { deadline }: QueryOptions): Promise<DnsAnswer> {
    this.asked.push(`${type} ${name}`);
    const answer = this.zone[`${type} ${name}`] ?? nodata;
    return Promise.resolve(typeof answer === 'function' ? answer(deadline) : answer);
  }
}

export const nodata: DnsAnswer = { kind: 'nodata', ttlSeconds: 20, authenticated: false };
export const nxdomain: DnsAnswer = { kind: 'nxdomain', ttlSeconds: 30, authenticated: false };
export const servfail: DnsAnswer = { kind: 'failure', why: 'servfail', blame: 'domain' };
const timeout: DnsAnswer = { kind: 'failure', why: 'timeout', blame: 'domain' };
export const resolverDown: DnsAnswer = { kind: 'failure', why: 'timeout', blame: 'resolver' };

function records(ttlSeconds: number, ...data: RecordData[]): DnsAnswer {
  return { kind: 'records', records: data, ttlSeconds, authenticated: false };
}
export const mx = (...exchanges: [number, string][]): DnsAnswer => {
  return records(300, ...exchanges.map(([preference, exchange]): RecordData => ({ type: 'MX', preference, exchange })));
};
export const a = (...addresses: string[]): DnsAnswer => {
  return records(120, ...addresses.map((address): RecordData => ({ type: 'A', address })));
};
export const aaaa = (...addresses: string[]): DnsAnswer => {
  return records(120, ...addresses.map((address): RecordData => ({ type: 'AAAA', address })));
};
/** An answer that comes only when the caller's time is over. */
export const silent = ({ signal }: Deadline): Promise<DnsAnswer> => {
  if (signal.aborted) return Promise.resolve(timeout);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(timeout));
  });
};

/** Looks up the mail hosts of example.com. */
export async function findMailHosts(
  zone: Zone,
  {
    deadline = Deadline.after(5000),
    ...options
  }: Partial<MailHostFinderOptions> & { readonly deadline?: Deadline } = {},
): Promise<{ finding: MailHostsFinding; asked: string[]; notes: string[] }> {
  const resolver = new TableResolver(zone);
  const finder = new MailHostFinder(resolver, { allowPrivateNetworks: false, ...options });
  const events: TraceEvent[] = [];
  try {
    const finding = await finder.findMailHosts('example.com', { deadline, trace: (event) => events.push(event) });
    return { finding, asked: resolver.asked, notes: events.flatMap((e) => (e.kind === 'note' ? [e.text] : [])) };
  } finally {
    deadline.release();
  }
}
