import { ACCEPTED, type MailHost } from '../../test/lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../test/lab/world.js';
import { ROUND_TRIP_MS } from './bench-world.js';

export const JOB_DOMAINS = 500;
/** Addresses of the largest job. */
export const JOB_ADDRESSES = 10_000;
/** Greylisting delay of the hosts; the worker retries a little later. */
const GREYLISTED_MS = 250;
export const GREYLIST_RETRY_MS = 500;
/** Lists without common addresses, so that no cached check spares a probe. */
const MOST_LISTS = 60;
const PER_DOMAIN = JOB_ADDRESSES / JOB_DOMAINS;

/** `even`: all hosts are equally fast. `mixed`: some are slow, greylist or hang up. */
type Domains = 'mixed' | 'even';

type Nature = 'ordinary' | 'greylisting';

const MAILBOXES = Object.fromEntries(
  Array.from({ length: MOST_LISTS }, (_, list) => list).flatMap((list) =>
    Array.from({ length: PER_DOMAIN }, (_, index) => [localPart(list, index), ACCEPTED] as const).filter(([name]) =>
      isReal(name),
    ),
  ),
);
const ordinary: MailHost = { roundTripMs: ROUND_TRIP_MS, recipients: MAILBOXES };

interface OddOne {
  /** One of this many domains. */
  readonly every: number;
  readonly host: Partial<MailHost>;
  readonly nature?: Nature;
}

const ODD_ONES: readonly OddOne[] = [
  { every: 25, host: { roundTripMs: 4 * ROUND_TRIP_MS } },
  {
    every: 26,
    host: { greylist: { afterMs: GREYLISTED_MS, answer: '451 4.7.1 Greylisted, try again later' } },
    nature: 'greylisting',
  },
  { every: 27, host: { hardErrorLimit: 4 } },
  { every: 28, host: { recipientLimit: { count: 8, answer: '452 4.5.3 Too many recipients' } } },
];

/** Domains with one distant mail host each, equally many of each kind. */
export function jobWorld(): World {
  return joinWorlds(
    ...Array.from({ length: JOB_DOMAINS }, (_, nth) => [
      domainWithHost(domainOf('mixed', nth), { ...ordinary, ...oddOne(nth)?.host }),
      domainWithHost(domainOf('even', nth), ordinary),
    ]).flat(),
  );
}

export interface ListTerms {
  readonly domains?: Domains;
  /** Number of domains: few for a small job, so that each connection serves as many addresses as in a large one. */
  readonly count?: number;
  /** The domains before this one are left out. */
  readonly first?: number;
  readonly perDomain?: number;
}

/** Addresses of a list: equally many per domain, in turns. */
export function addressesOf(
  list: number,
  { domains = 'mixed', count = JOB_DOMAINS, first = 0, perDomain = PER_DOMAIN }: ListTerms = {},
): string[] {
  if (list >= MOST_LISTS) throw new RangeError('the laboratory has no more mailboxes');
  if (first + count > JOB_DOMAINS) throw new RangeError('the laboratory has no more domains');
  return Array.from(
    { length: count * perDomain },
    (_, i) => `${localPart(list, Math.floor(i / count))}@${domainOf(domains, first + (i % count))}`,
  );
}

/** The expected job result of an address. */
export function verdictOf(email: string): { readonly result: string; readonly reason: string } {
  return isReal(email)
    ? { result: 'valid', reason: 'mailbox_accepts' }
    : { result: 'invalid', reason: 'mailbox_not_found' };
}

/** How the first dialogue about an address ends. */
export function firstClassOf(email: string): string {
  const nature = natureOf(email);
  if (!isReal(email)) return 'mailbox_not_found';
  return nature === 'greylisting' ? 'greylisted' : 'accepted';
}

/** What its mail host does. */
export function hostBehaviourOf(email: string): MailHost {
  return { ...ordinary, ...oddOneOf(email)?.host };
}

/** Its mail host behaves normally. */
export function isOrdinary(email: string): boolean {
  return oddOneOf(email) === undefined;
}

function natureOf(email: string): Nature {
  return oddOneOf(email)?.nature ?? 'ordinary';
}

function oddOneOf(email: string): OddOne | undefined {
  const nth = /@mixed(\d+)\./.exec(email)?.[1];
  return nth === undefined ? undefined : oddOne(Number(nth));
}

export function isReal(email: string): boolean {
  return email.startsWith('real');
}

function oddOne(nth: number): OddOne | undefined {
  return ODD_ONES.find(({ every }) => nth % every === every - 1);
}

function domainOf(domains: Domains, nth: number): string {
  return `${domains}${nth}.test`;
}

export function mailHostOf(domains: Domains, nth: number): string {
  return `mx.${domainOf(domains, nth)}`;
}

/** Three of four addresses have a mailbox. */
function localPart(list: number, index: number): string {
  return `${index % 4 === 3 ? 'ghost' : 'real'}${index}.${list}`;
}
