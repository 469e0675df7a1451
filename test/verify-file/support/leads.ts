import { ACCEPTED, type MailHost } from '../../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../lab/world.js';

const DOMAINS = 20;
/** In a made-up list this local part has a mailbox; the others have none. */
const hasMailbox = (lead: number): boolean => lead % 3 !== 0;

export interface Leads {
  readonly world: World;
  readonly hosts: readonly string[];
  /** A CSV with the column `mail`. */
  readonly text: string;
  readonly addressOf: (lead: number) => string;
}

/** A list of so many different addresses, and mail hosts that answer about them. */
export function leads(count: number, host: MailHost = {}): Leads {
  const domainOf = (lead: number): string => `company${lead % DOMAINS}.example`;
  const localPartOf = (lead: number): string => `lead.number${lead}`;
  const addressOf = (lead: number): string => `${localPartOf(lead)}@${domainOf(lead)}`;
  const numbers = Array.from({ length: count }, (_, lead) => lead);
  const domains = numbers.slice(0, DOMAINS).map(domainOf);
  const mailboxes = (domain: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      numbers
        .filter((lead) => domainOf(lead) === domain && hasMailbox(lead))
        .map((lead) => [localPartOf(lead), ACCEPTED]),
    );
  return {
    world: joinWorlds(...domains.map((domain) => domainWithHost(domain, { ...host, recipients: mailboxes(domain) }))),
    hosts: domains.map((domain) => `mx.${domain}`),
    text: `id;name;mail\n${numbers.map((lead) => `${lead};"Lead ""${lead}""";${addressOf(lead)}\n`).join('')}`,
    addressOf,
  };
}
