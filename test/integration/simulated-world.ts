import { recipientOf, simulatedHost, type Behaviour, type Recipient } from '../../simulator/world.js';
import { ACCEPTED, type MailHost } from '../lab/smtp/mail-host.js';
import { joinWorlds, type World } from '../lab/world.js';

/** Domains of one kind, for the laboratory and for the model. */
interface Kind {
  readonly name: string;
  /** In a thousand addresses. */
  readonly addresses: number;
  readonly perDomain: number;
  /** One host for all domains; else each has its own. */
  readonly host?: string;
  readonly behaviour?: Partial<Behaviour>;
  /** None of its addresses exists. */
  readonly isEmpty?: boolean;
}

const ROUND_TRIP_MS = 20;

/** Providers by the names of their hosts, whose limits are in the table; then hosts that the table does not know. */
const KINDS: readonly Kind[] = [
  { name: 'gmail', addresses: 30, perDomain: 60, host: 'gmail-smtp-in.l.google.com' },
  { name: 'workspace', addresses: 10, perDomain: 2, host: 'gmail-smtp-in.l.google.com' },
  { name: 'hotmail', addresses: 6, perDomain: 12, host: 'hotmail-com.olc.protection.outlook.com' },
  { name: 'gateway', addresses: 14, perDomain: 2, host: 'mxa-1.gslb.pphosted.com' },
  { name: 'small', addresses: 300, perDomain: 2 },
  { name: 'polite', addresses: 340, perDomain: 20 },
  { name: 'slow', addresses: 40, perDomain: 20, behaviour: { roundTripMs: 5 * ROUND_TRIP_MS } },
  { name: 'greylisting', addresses: 60, perDomain: 20, behaviour: { greylists: { namedSeconds: null } } },
  { name: 'hanging-up', addresses: 60, perDomain: 20, behaviour: { hangsUpAfterErrors: 4 } },
  { name: 'narrow', addresses: 60, perDomain: 20, behaviour: { recipientsPerSession: 4 } },
  { name: 'vague', addresses: 20, perDomain: 4, behaviour: { refusesVaguely: true } },
  { name: 'empty', addresses: 20, perDomain: 2, behaviour: { refusesVaguely: true }, isEmpty: true },
  { name: 'refusing', addresses: 40, perDomain: 20, behaviour: { refusesUs: true } },
];

export interface BothWorlds {
  readonly laboratory: World;
  readonly hosts: readonly string[];
  readonly emails: readonly string[];
  /** Fresh each time, for a simulation changes them. */
  readonly recipients: () => Recipient[];
}

/** The same little internet twice: behaviours as data of the laboratory, and of the model. */
export function bothWorlds(thousands: number): BothWorlds {
  const domains = KINDS.flatMap((kind) =>
    Array.from({ length: Math.round((kind.addresses * thousands) / kind.perDomain) }, (_, nth) => ({
      ...kind,
      domain: `${kind.name}${nth}.test`,
      host: kind.host ?? `mx.${kind.name}${nth}.test`,
      behaviour: { roundTripMs: ROUND_TRIP_MS, ...kind.behaviour },
    })),
  );
  const most = Math.max(...KINDS.map(({ perDomain }) => perDomain));
  const addresses = Array.from({ length: most }, (_, index) => index).flatMap((index) =>
    domains
      .filter(({ perDomain }) => index < perDomain)
      .map((of) => ({ of, index, exists: of.isEmpty !== true && index % 4 !== 3 })),
  );
  const existing = Object.fromEntries(Array.from({ length: most }, (_, index) => [`person${index}`, ACCEPTED]));
  for (let index = 3; index < most; index += 4) delete existing[`person${index}`];
  return {
    laboratory: joinWorlds(
      ...domains.map(({ domain, host, behaviour, isEmpty = false }) => ({
        dns: { [domain]: { MX: [[10, host]] as const } },
        hosts: { [host]: mailHost(behaviour, isEmpty ? {} : existing) },
      })),
    ),
    hosts: [...new Set(domains.map(({ host }) => host))],
    emails: addresses.map(({ of, index }) => `person${index}@${of.domain}`),
    recipients: () => {
      const hosts = new Map(domains.map(({ host, behaviour }) => [host, simulatedHost(host, behaviour)]));
      const simulated = new Map(domains.map(({ domain, host }) => [domain, { name: domain, host: hosts.get(host)! }]));
      return addresses.map(({ of, exists }) => recipientOf(simulated.get(of.domain)!, exists));
    },
  };
}

function mailHost(behaviour: Behaviour, recipients: Readonly<Record<string, string>>): MailHost {
  const { roundTripMs, greylists, hangsUpAfterErrors, recipientsPerSession, refusesVaguely, refusesUs } = behaviour;
  return {
    roundTripMs,
    recipients: refusesVaguely === true ? { ...recipients, postmaster: ACCEPTED } : recipients,
    ...(refusesVaguely === true && { otherRecipients: '550 5.7.1 Refused' }),
    ...(greylists !== undefined && { greylist: { afterMs: 500, answer: '451 4.7.1 Greylisted, try again later' } }),
    ...(hangsUpAfterErrors !== undefined && { hardErrorLimit: hangsUpAfterErrors }),
    ...(recipientsPerSession !== undefined && {
      recipientLimit: { count: recipientsPerSession, answer: '452 4.5.3 Too many recipients' },
    }),
    ...(refusesUs === true && {
      greeting: { lines: '554 5.7.1 Client host [{client}] blocked using a block list', afterwards: 'close' as const },
    }),
  };
}
