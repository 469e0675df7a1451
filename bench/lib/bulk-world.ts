import { ACCEPTED, type MailHost } from '../../test/lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../test/lab/world.js';
import { ROUND_TRIP_MS } from './bench-world.js';

export const DOMAINS = 500;
export const PER_DOMAIN = 20;

/** The expected result of a recipient: the class of the reply, or how the dialogue ended. */
export type Expected = 'accepted' | 'mailbox_not_found' | 'greylisted' | 'policy';

const MAILBOXES = Object.fromEntries(
  Array.from({ length: PER_DOMAIN }, (_, index) => [localPart(index), ACCEPTED]).filter(([name]) =>
    name?.startsWith('real'),
  ),
);
const ordinary: MailHost = { roundTripMs: ROUND_TRIP_MS, recipients: MAILBOXES };
/** One of this many domains. */
const ODD_ONES: readonly { readonly every: number; readonly host: Partial<MailHost>; readonly all?: Expected }[] = [
  { every: 25, host: { roundTripMs: 4 * ROUND_TRIP_MS } },
  { every: 26, host: { otherRecipients: '451 4.7.1 Greylisted, try again later', recipients: {} }, all: 'greylisted' },
  { every: 27, host: { hardErrorLimit: 4 } },
  { every: 28, host: { recipientLimit: { count: 8, answer: '452 4.5.3 Too many recipients' } } },
  {
    every: 50,
    host: { greeting: { lines: '554 5.7.1 Your address is blocked', afterwards: 'close' } },
    all: 'policy',
  },
];

function oddOne(nth: number): (typeof ODD_ONES)[number] | undefined {
  return ODD_ONES.find(({ every }) => nth % every === every - 1);
}

export function domainOf(nth: number): string {
  return `company${nth}.test`;
}

/** Three of four addresses have a mailbox. */
export function localPart(index: number): string {
  return index % 4 === 3 ? `ghost${index}` : `real${index}`;
}

export function expectedOf(nth: number, index: number): Expected {
  return oddOne(nth)?.all ?? (index % 4 === 3 ? 'mailbox_not_found' : 'accepted');
}

/** Domains with one distant mail host each: most are ordinary, a few are slow, greylist, hang up or refuse. */
export function bulkWorld(): World {
  return joinWorlds(
    ...Array.from({ length: DOMAINS }, (_, nth) =>
      domainWithHost(domainOf(nth), { ...ordinary, ...oddOne(nth)?.host }),
    ),
  );
}
