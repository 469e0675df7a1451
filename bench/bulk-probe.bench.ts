/**
 * Time for 10,000 addresses of 500 distant domains over shared connections, compared with one connection per address.
 */
import { parseAddress } from '../src/engine/address/parse-address.js';
import type { Address } from '../src/engine/address/address.js';
import { Deadline } from '../src/engine/deadline.js';
import type { MailHost } from '../src/engine/dns/mail-hosts.js';
import { SmtpBulkProber } from '../src/engine/smtp/bulk/smtp-bulk-prober.js';
import { classifyReply } from '../src/engine/smtp/classify/classify-reply.js';
import type { Egress } from '../src/engine/smtp/egress.js';
import type { SmtpProberOptions } from '../src/engine/smtp/probe-tools.js';
import type { ProbeOutcome } from '../src/engine/smtp/prober.js';
import { findProvider } from '../src/engine/smtp/providers/find-provider.js';
import { SmtpProber } from '../src/engine/smtp/smtp-prober.js';
import { createEgressPool } from '../src/platform/egress/egress-pool.js';
import { PROBER_NAME } from '../test/lab/world.js';
import { domainOf, DOMAINS, expectedOf, localPart, PER_DOMAIN } from './lib/bulk-world.js';
import { startChild } from './lib/child.js';
import { report } from './lib/figure.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';
import type { BulkLaboratoryTold } from './processes/bulk-laboratory.js';

const RECIPIENTS = DOMAINS * PER_DOMAIN;
const AT_ONCE = 50;
const DEADLINE_MS = 120_000;
const ROUNDS = 2;
/** The promised factors: faster, and fewer connections. */
const AT_LEAST = 5;

interface Measured {
  readonly perSecond: number;
  readonly connections: number;
}

async function main(): Promise<void> {
  const laboratory = await startChild<BulkLaboratoryTold>('bulk-laboratory');
  const bench = new Bench(laboratory.told);
  const took = await inTurns({ together: () => bench.together(), alone: () => bench.alone() }, ROUNDS);
  await laboratory.stop();

  const perSecond = (of: readonly Measured[]): number[] => of.map((measured) => measured.perSecond);
  const connections = Math.max(...took.together.map((measured) => measured.connections));
  const ratios = took.together.map((measured, round) => measured.perSecond / (took.alone[round]?.perSecond ?? 0));
  console.error(
    `${RECIPIENTS} addresses over ${connections} connections, ${ratios.map((ratio) => ratio.toFixed(1)).join(' and ')} times faster`,
  );
  if (connections > RECIPIENTS / AT_LEAST) throw new Error(`${connections} connections are too many`);
  if (Math.min(...ratios) < AT_LEAST) throw new Error(`shared connections are not ${AT_LEAST} times faster`);
  report([
    {
      what: `addresses over shared connections, ${AT_ONCE} at once`,
      unit: '/s',
      rounds: perSecond(took.together),
      baseline: { what: 'a connection for each', rounds: perSecond(took.alone) },
    },
  ]);
}

class Bench {
  private readonly domains: readonly { readonly hosts: readonly MailHost[]; readonly addresses: readonly Address[] }[];

  constructor(private readonly told: BulkLaboratoryTold) {
    this.domains = Array.from({ length: DOMAINS }, (_, nth) => ({
      hosts: [{ name: `mx.${domainOf(nth)}`, preference: 10, addresses: [told.addresses[nth] ?? ''] }],
      addresses: Array.from({ length: PER_DOMAIN }, (__, index) => addressOf(`${localPart(index)}@${domainOf(nth)}`)),
    }));
  }

  /** Probes each address over its own connection, one at a time per lane. */
  alone(): Promise<Measured> {
    return this.measured(async (options, deadline) => {
      const prober = new SmtpProber(options);
      return settledPerSecond(RECIPIENTS, AT_ONCE, async (recipient) => {
        const [nth, index] = [recipient % DOMAINS, Math.floor(recipient / DOMAINS)];
        const { hosts, addresses } = this.domains[nth]!;
        const request = { address: addresses[index]!, hosts, randomRecipient: false, egress: null, deadline };
        check(nth, index, await prober.probe(request));
      });
    });
  }

  /** Probes one domain at a time per lane, over one connection at a time. */
  together(): Promise<Measured> {
    return this.measured(async (options, deadline) => {
      const prober = new SmtpBulkProber(options);
      const domainsPerSecond = await settledPerSecond(DOMAINS, AT_ONCE, async (nth) => {
        const { hosts, addresses } = this.domains[nth]!;
        let outcomes = 0;
        await prober.probe({
          domains: [
            {
              domain: domainOf(nth),
              hosts,
              recipients: addresses.map((address, index) => ({ index, address })),
              randomRecipient: false,
            },
          ],
          deadline,
          connections: { count: 1 },
          onOutcome: (index, outcome) => {
            outcomes += 1;
            check(nth, index, outcome);
          },
        });
        if (outcomes !== PER_DOMAIN) throw new Error(`${outcomes} outcomes for ${PER_DOMAIN} addresses`);
      });
      return domainsPerSecond * PER_DOMAIN;
    });
  }

  private async measured(work: (options: SmtpProberOptions, deadline: Deadline) => Promise<number>): Promise<Measured> {
    let connections = 0;
    const pool = createEgressPool({ heloName: PROBER_NAME, mailFrom: null, entries: [], allowPrivateNetworks: true });
    const egress = pool.choose(null);
    const counting: Egress = {
      id: egress.id,
      heloName: egress.heloName,
      mailFrom: egress.mailFrom,
      ipv6: egress.ipv6,
      connect: (...given) => {
        connections += 1;
        return egress.connect(...given);
      },
    };
    const options: SmtpProberOptions = {
      egress: { choose: () => counting },
      port: this.told.smtpPort,
      connectTimeoutMs: 5_000,
      greetingTimeoutMs: 10_000,
      commandTimeoutMs: 10_000,
      classify: classifyReply,
      findProvider,
    };
    const deadline = Deadline.after(DEADLINE_MS);
    const perSecond = await work(options, deadline);
    deadline.release();
    return { perSecond, connections };
  }
}

function check(nth: number, index: number, outcome: ProbeOutcome): void {
  const found = outcome.kind === 'facts' ? outcome.facts.class : outcome.why;
  const expected = expectedOf(nth, index);
  if (found !== expected) throw new Error(`${localPart(index)}@${domainOf(nth)}: ${found}, not ${expected}`);
}

function addressOf(email: string): Address {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error(`${email} is no address`);
  return parsed.address;
}

void main();
