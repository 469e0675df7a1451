import type { Answer } from 'dns-packet';
import type { DnsData, DnsEntry, DnsFault } from './dns-data.js';

/** RFC 1035 4.1.1. */
export const RCODE = { noError: 0, formatError: 1, serverFailure: 2, nameError: 3, refused: 5 } as const;

export interface Answered {
  readonly rcode: number;
  readonly answers: readonly Answer[];
  /** The SOA of a negative answer (RFC 2308). */
  readonly authorities: readonly Answer[];
  /** Every name on the way to the answer is marked `secure`. */
  readonly secure: boolean;
}

/** CNAMEs followed before the chain is handed over as it is, as recursive resolvers do. */
const LONGEST_CHAIN = 12;
const DEFAULT_TTL = 60;
const NEGATIVE_TTL = 30;

/** Answers a question as a recursive resolver that sees all of `data`. `name` may be in any case. */
export function answerQuestion(data: DnsData, name: string, type: string): Answered {
  const answers: Answer[] = [];
  let owner = name;
  let secure = true;
  for (let hops = 0; hops <= LONGEST_CHAIN; hops += 1) {
    const key = canonical(owner);
    const entry = findEntry(data, key);
    secure &&= entry?.secure ?? false;
    if (entry === null) return negative(data, key, { rcode: RCODE.nameError, answers, secure });
    if (entry.CNAME === undefined || type === 'CNAME') {
      const records = recordsOf(entry, owner, type, data);
      if (records.length === 0) return negative(data, key, { rcode: RCODE.noError, answers, secure });
      return { rcode: RCODE.noError, answers: [...answers, ...records], authorities: [], secure };
    }
    answers.push({ type: 'CNAME', name: owner, ttl: entry.ttl ?? DEFAULT_TTL, data: entry.CNAME });
    owner = entry.CNAME;
  }
  return { rcode: RCODE.noError, answers, authorities: [], secure };
}

/** The fault for a question and the name that has it: the name itself, or the nearest name above. */
export function findFault(data: DnsData, name: string, type: string): { at: string; fault: DnsFault } | null {
  for (const at of [canonical(name), ...ancestors(canonical(name))]) {
    const fault = data[at]?.fault;
    if (fault !== undefined) return (fault.types?.includes(type) ?? true) ? { at, fault } : null;
  }
  return null;
}

/** Lowercase, no trailing dot; the root is `.`. */
export function canonical(name: string): string {
  const lower = name.toLowerCase();
  if (lower === '' || lower === '.') return '.';
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** Names above, nearest first; the root is the last. */
function ancestors(name: string): string[] {
  if (name === '.') return [];
  const labels = name.split('.');
  return [...labels.slice(1).map((_, index) => labels.slice(index + 1).join('.')), '.'];
}

/** null: NXDOMAIN. A name that only has names below it exists and is empty (RFC 8020). */
function findEntry(data: DnsData, name: string): DnsEntry | null {
  const own = data[name];
  if (own !== undefined) return own;
  if (name === '.' || hasNamesBelow(data, name)) return {};
  // RFC 4592: the wildcard of the closest name that exists, and of no other.
  const encloser = ancestors(name).find((above) => above === '.' || above in data || hasNamesBelow(data, above));
  return data[`*.${encloser}`] ?? null;
}

/** Names that exist only because of names below them; computed once per immutable data set. */
const innerNames = new WeakMap<DnsData, ReadonlySet<string>>();

function hasNamesBelow(data: DnsData, name: string): boolean {
  let inner = innerNames.get(data);
  if (inner === undefined) {
    inner = new Set(Object.keys(data).flatMap(ancestors));
    innerNames.set(data, inner);
  }
  return inner.has(name);
}

/** The topmost name with an entry on the way up: where this little world delegates. */
function zoneOf(data: DnsData, name: string): string {
  return [name, ...ancestors(name)].findLast((at) => at !== '.' && at in data) ?? '.';
}

function soa(zone: string): Answer {
  const within = zone === '.' ? 'root.test' : zone;
  const timers = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: NEGATIVE_TTL };
  const data = { mname: `ns.${within}`, rname: `hostmaster.${within}`, ...timers };
  return { type: 'SOA', name: zone, ttl: NEGATIVE_TTL, data };
}

function negative(data: DnsData, name: string, answered: Omit<Answered, 'authorities'>): Answered {
  return { ...answered, authorities: [soa(zoneOf(data, name))] };
}

function recordsOf(entry: DnsEntry, owner: string, type: string, data: DnsData): Answer[] {
  const common = { name: owner, ttl: entry.ttl ?? DEFAULT_TTL };
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'PTR':
      return (entry[type] ?? []).map((value) => ({ ...common, type, data: value }));
    case 'CNAME':
      return entry.CNAME === undefined ? [] : [{ ...common, type, data: entry.CNAME }];
    case 'MX':
      return (entry.MX ?? []).map(([preference, exchange]) => ({ ...common, type, data: { preference, exchange } }));
    case 'TXT':
      return (entry.TXT ?? []).map((text) => ({ ...common, type, data: characterStrings(text) }));
    case 'CAA':
      return (entry.CAA ?? []).map((caa) => ({ ...common, type, data: { flags: 0, ...caa } }));
    case 'TLSA':
      return (entry.TLSA ?? []).map((tlsa) => {
        return { ...common, type, data: { ...tlsa, certificate: Buffer.from(tlsa.certificate, 'hex') } };
      });
    case 'SOA':
      return zoneOf(data, canonical(owner)) === canonical(owner) ? [soa(canonical(owner))] : [];
    default:
      return [];
  }
}

/** A TXT record is a list of strings of at most 255 octets (RFC 1035 3.3.14). */
function characterStrings(text: string | readonly string[]): Buffer[] {
  const octets = typeof text === 'string' ? [Buffer.from(text)] : text.map((part) => Buffer.from(part));
  return octets.flatMap((whole) =>
    Array.from({ length: Math.max(1, Math.ceil(whole.length / 255)) }, (_, index) =>
      whole.subarray(index * 255, index * 255 + 255),
    ),
  );
}
