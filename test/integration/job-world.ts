import { ACCEPTED, type MailHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../lab/world.js';

/** What a domain of a job's world is like. */
export type DomainKind =
  | 'polite'
  | 'slow'
  | 'greylisting'
  | 'hanging_up'
  | 'refusing_us'
  | 'catch_all'
  | 'unreachable'
  | 'no_mail'
  | 'broken_dns';

export interface Expected {
  readonly result: string;
  readonly reason: string | null;
}

export interface JobWorld {
  readonly world: World;
  /** In an order in which domains alternate. */
  readonly emails: readonly string[];
  readonly kindOf: (email: string) => DomainKind;
  /** What a job makes of the address. */
  readonly expect: (email: string, mode: 'standard' | 'enhanced') => Expected;
}

export interface JobWorldOptions {
  readonly domains: number;
  readonly addresses: number;
  /** Of every line. */
  readonly roundTripMs?: number;
  /** How many in a hundred domains are of a kind; the rest is polite. */
  readonly shares?: Partial<Record<DomainKind, number>>;
  /** Local parts begin with it: two jobs of one world do not share addresses. */
  readonly prefix?: string;
}

const USUAL_SHARES: Partial<Record<DomainKind, number>> = {
  slow: 4,
  greylisting: 6,
  hanging_up: 10,
  refusing_us: 6,
  catch_all: 6,
  unreachable: 4,
  no_mail: 4,
  broken_dns: 4,
};

/** For worlds of several jobs: a host that has refused us is left alone for a minute and more, and a job waits for that. */
export const WITHOUT_REFUSALS: JobWorldOptions['shares'] = { ...USUAL_SHARES, refusing_us: 0 };

/** A little internet for jobs. Every second address of a domain exists. */
export function jobWorld({
  domains,
  addresses,
  roundTripMs = 0,
  shares = USUAL_SHARES,
  prefix = 'person',
}: JobWorldOptions): JobWorld {
  const kinds = spread(domains, shares);
  const names = kinds.map((kind, i) => `${kind.replaceAll('_', '-')}-${i}.test`);
  const kindByDomain = new Map(names.map((name, i) => [name, kinds[i]!]));
  const local = Array.from({ length: Math.ceil(addresses / domains) }, (_, i) =>
    i % 2 === 0 ? `${prefix}.known${i}` : `${prefix}.missing${i}`,
  );
  const known = Object.fromEntries(local.filter((name) => name.includes('known')).map((name) => [name, ACCEPTED]));
  const emails = local.flatMap((name) => names.map((domain) => `${name}@${domain}`)).slice(0, addresses);
  const kindOf = (email: string): DomainKind => kindByDomain.get(email.slice(email.indexOf('@') + 1))!;
  return {
    world: joinWorlds(...names.map((name, i) => DOMAINS[kinds[i]!](name, { recipients: known, roundTripMs }))),
    emails,
    kindOf,
    expect: (email, mode) => expected(kindOf(email), email.includes('.known'), mode),
  };
}

function spread(domains: number, shares: Partial<Record<DomainKind, number>>): DomainKind[] {
  const special = Object.entries(shares).flatMap(([kind, share]) =>
    Array.from(
      { length: share === 0 ? 0 : Math.max(1, Math.round((domains * share) / 100)) },
      () => kind as DomainKind,
    ),
  );
  return Array.from({ length: domains }, (_, i) => special[i] ?? 'polite');
}

type DomainMaker = (name: string, polite: MailHost) => World;

const DOMAINS: Readonly<Record<DomainKind, DomainMaker>> = {
  polite: domainWithHost,
  slow: (name, polite) => domainWithHost(name, { ...polite, delayMs: 150 }),
  greylisting: (name, polite) =>
    domainWithHost(name, {
      ...polite,
      greylist: { afterMs: 500, answer: '451 4.7.1 <{recipient}>: Recipient address rejected: Greylisted' },
    }),
  hanging_up: (name, polite) => domainWithHost(name, { ...polite, hardErrorLimit: 5 }),
  refusing_us: (name, polite) =>
    domainWithHost(name, {
      ...polite,
      greeting: { lines: '554 5.7.1 Client host [{client}] blocked using a block list', afterwards: 'close' },
    }),
  catch_all: (name, polite) => domainWithHost(name, { ...polite, otherRecipients: ACCEPTED }),
  unreachable: (name) => domainWithHost(name, { tcp: 'refused' }),
  no_mail: (name) => ({ dns: { [name]: { MX: [[0, '.']] } }, hosts: {} }),
  broken_dns: (name) => ({ dns: { [name]: { fault: { servfail: true } } }, hosts: {} }),
};

const FOUND = { result: 'valid', reason: 'mailbox_accepts' } as const;
const MISSING = { result: 'invalid', reason: 'mailbox_not_found' } as const;
const OUT_OF_REACH = { result: 'unknown', reason: 'smtp_unreachable' } as const;

function expected(kind: DomainKind, isKnown: boolean, mode: 'standard' | 'enhanced'): Expected {
  if (kind === 'no_mail') return { result: 'invalid', reason: 'no_mx' };
  if (kind === 'broken_dns' || kind === 'unreachable' || kind === 'refusing_us') return OUT_OF_REACH;
  if (kind === 'catch_all') {
    return mode === 'enhanced' ? { result: 'catch_all', reason: 'catch_all_domain' } : FOUND;
  }
  return isKnown ? FOUND : MISSING;
}
