import { ACCEPTED, type MailHost } from '../../test/lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../test/lab/world.js';
import { ROUND_TRIP_MS } from './bench-world.js';

export const JOB_DOMAINS = 500;
/** Addresses of the largest job. */
export const JOB_ADDRESSES = 10_000;
/** Until a greylisting host takes a recipient that it has seen; the worker is told to come back a little later. */
const GREYLISTED_MS = 250;
export const GREYLIST_RETRY_MS = 500;
/** Lists of addresses that share none: what is on record of one spares no other a probe. */
const MOST_LISTS = 60;
const PER_DOMAIN = JOB_ADDRESSES / JOB_DOMAINS;

type Nature = 'ordinary' | 'greylisting' | 'refusing_us';

const MAILBOXES = Object.fromEntries(
  Array.from({ length: MOST_LISTS }, (_, list) => list).flatMap((list) =>
    Array.from({ length: PER_DOMAIN }, (_, index) => [localPart(list, index), ACCEPTED] as const).filter(([name]) =>
      isReal(name),
    ),
  ),
);
const ordinary: MailHost = { roundTripMs: ROUND_TRIP_MS, recipients: MAILBOXES };

/** One in so many domains. */
const ODD_ONES: readonly { readonly every: number; readonly host: Partial<MailHost>; readonly nature?: Nature }[] = [
  { every: 25, host: { roundTripMs: 4 * ROUND_TRIP_MS } },
  {
    every: 26,
    host: { greylist: { afterMs: GREYLISTED_MS, answer: '451 4.7.1 Greylisted, try again later' } },
    nature: 'greylisting',
  },
  { every: 27, host: { hardErrorLimit: 4 } },
  { every: 28, host: { recipientLimit: { count: 8, answer: '452 4.5.3 Too many recipients' } } },
  {
    every: 50,
    host: { greeting: { lines: '554 5.7.1 Your address is blocked', afterwards: 'close' } },
    nature: 'refusing_us',
  },
];

/** Domains with a mail host each, at a distance: most of them ordinary, a few slow, greylisting, hanging up or refusing. */
export function jobWorld(): World {
  return joinWorlds(
    ...Array.from({ length: JOB_DOMAINS }, (_, nth) =>
      domainWithHost(domainOf(nth), { ...ordinary, ...oddOne(nth)?.host }),
    ),
  );
}

/**
 * Addresses of a list: twenty of each domain, all domains taking turns.
 * @param domains how many of them: few for a small job, so that as many addresses go over a connection as in a large one
 */
export function addressesOf(list: number, domains = JOB_DOMAINS, perDomain = PER_DOMAIN): string[] {
  if (list >= MOST_LISTS) throw new RangeError('the laboratory has no more mailboxes');
  return Array.from(
    { length: domains * perDomain },
    (_, i) => `${localPart(list, Math.floor(i / domains))}@${domainOf(i % domains)}`,
  );
}

/** What a job says of an address. */
export function verdictOf(email: string): { readonly result: string; readonly reason: string } {
  if (natureOf(email) === 'refusing_us') return { result: 'unknown', reason: 'smtp_unreachable' };
  return isReal(email)
    ? { result: 'valid', reason: 'mailbox_accepts' }
    : { result: 'invalid', reason: 'mailbox_not_found' };
}

/** How the dialogue about an address ends when it is asked about for the first time. */
export function firstClassOf(email: string): string {
  const nature = natureOf(email);
  if (nature === 'refusing_us') return 'policy';
  if (!isReal(email)) return 'mailbox_not_found';
  return nature === 'greylisting' ? 'greylisted' : 'accepted';
}

/** Its mail host is neither slow nor odd. */
export function isOrdinary(email: string): boolean {
  return oddOne(domainNumber(email)) === undefined;
}

function natureOf(email: string): Nature {
  return oddOne(domainNumber(email))?.nature ?? 'ordinary';
}

function domainNumber(email: string): number {
  return Number(/@company(\d+)\./.exec(email)?.[1]);
}

function isReal(email: string): boolean {
  return email.startsWith('real');
}

function oddOne(nth: number): (typeof ODD_ONES)[number] | undefined {
  return ODD_ONES.find(({ every }) => nth % every === every - 1);
}

function domainOf(nth: number): string {
  return `company${nth}.test`;
}

/** Three of four have a mailbox. */
function localPart(list: number, index: number): string {
  return `${index % 4 === 3 ? 'ghost' : 'real'}${index}.${list}`;
}
