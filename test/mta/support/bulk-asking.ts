import { parseAddress } from '../../../src/engine/address/parse-address.js';
import { Deadline } from '../../../src/engine/deadline.js';
import type { FirstBatches } from '../../../src/engine/smtp/bulk/first-batches.js';
import { SmtpBulkProber } from '../../../src/engine/smtp/bulk/smtp-bulk-prober.js';
import { classifyReply } from '../../../src/engine/smtp/classify/classify-reply.js';
import type { ProbeOutcome } from '../../../src/engine/smtp/prober.js';
import { findProvider } from '../../../src/engine/smtp/providers/find-provider.js';
import { groupBy } from '../../../src/platform/collections/group-by.js';
import { createEgressPool } from '../../../src/platform/egress/egress-pool.js';
import type { RealServers } from './real-servers.js';

export interface BulkAsking {
  /** `<host>` of the mail host `mx.<host>.test`. */
  readonly host: string;
  /** Local parts that begin with `real` exist. */
  readonly emails: readonly string[];
  readonly maxConnections?: number | undefined;
  /** Its hosts answered so far; without one, random recipients are asked about too. */
  readonly list?: FirstBatches | undefined;
}

export interface BulkAsked {
  readonly connections: number;
  readonly tookMs: number;
  /** Addresses without the outcome that they should have. */
  readonly misjudged: readonly string[];
}

/** `real0`, `stranger0` and so on, in no order that a limit would find convenient. */
export function emailsOf(domain: string, known: number, strangers: number): string[] {
  const names = [
    ...Array.from({ length: known }, (_, index) => `real${index}`),
    ...Array.from({ length: strangers }, (_, index) => `stranger${index}`),
  ];
  return names
    .map((name, index) => ({ name, place: (index * 7919) % names.length }))
    .sort((one, other) => one.place - other.place)
    .map(({ name }) => `${name}@${domain}`);
}

/** Asks a mail host about many recipients, as a job does. */
export async function askAbout(
  { places }: RealServers,
  { host, emails, maxConnections = 4, list }: BulkAsking,
): Promise<BulkAsked> {
  let connections = 0;
  const pool = createEgressPool({ heloName: 'prober.test', mailFrom: null, entries: [], allowPrivateNetworks: true });
  const prober = new SmtpBulkProber({
    egress: {
      choose: (id) => {
        const egress = pool.choose(id);
        const connect: typeof egress.connect = (...args) => ((connections += 1), egress.connect(...args));
        const { heloName, mailFrom, ipv6 } = egress;
        return { id: egress.id, heloName, mailFrom, ipv6, connect };
      },
    },
    port: places.port,
    connectTimeoutMs: 5_000,
    greetingTimeoutMs: 10_000,
    commandTimeoutMs: 10_000,
    classify: classifyReply,
    findProvider,
  });
  const outcomes = new Map<string, ProbeOutcome>();
  const deadline = Deadline.after(100_000);
  const name = `mx.${host}.test`;
  const hosts = [{ name, preference: 10, addresses: [places.address(name)] }];
  const byDomain = groupBy(emails, (email) => email.slice(email.lastIndexOf('@') + 1));
  const began = performance.now();
  await prober.probe({
    domains: [...byDomain].map(([domain, ofDomain]) => ({
      domain,
      hosts,
      recipients: ofDomain.map((email) => ({ index: emails.indexOf(email), address: addressOf(email) })),
      // A random recipient would take a place in the first batch.
      randomRecipient: list === undefined,
    })),
    deadline,
    connections: { count: maxConnections },
    list,
    onOutcome: (index, outcome) => void outcomes.set(emails[index] ?? '', outcome),
  });
  deadline.release();
  const tookMs = Math.round(performance.now() - began);
  console.log(`${host}: ${emails.length} recipients, ${connections} connections, ${tookMs} ms`);
  const misjudged = emails.filter((email) => !isRight(email, outcomes.get(email), list === undefined));
  return { connections, tookMs, misjudged };
}

function addressOf(email: string) {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error(`${email} is no address`);
  return parsed.address;
}

function isRight(email: string, outcome: ProbeOutcome | undefined, withRandom: boolean): boolean {
  if (outcome?.kind !== 'facts') return false;
  const { class: name, random } = outcome.facts;
  if (!email.startsWith('real')) return name === 'mailbox_not_found';
  return name === 'accepted' && random === (withRandom ? 'refused' : 'not_asked');
}
