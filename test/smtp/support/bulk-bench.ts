import { Deadline } from '../../../src/engine/deadline.js';
import type { MailHost } from '../../../src/engine/dns/mail-hosts.js';
import type { BulkDomain, BulkProbeRequest } from '../../../src/engine/smtp/bulk/bulk-prober.js';
import { SmtpBulkProber } from '../../../src/engine/smtp/bulk/smtp-bulk-prober.js';
import type { SmtpProberOptions } from '../../../src/engine/smtp/probe-tools.js';
import type { ProbeFacts, ProbeOutcome } from '../../../src/engine/smtp/prober.js';
import { addressOf, ProbeBench } from './probe-bench.js';
import type { Behaviour } from './scripted-host.js';

export type BulkOptions = Partial<SmtpProberOptions> &
  Partial<Omit<BulkProbeRequest, 'domains' | 'onOutcome' | 'connections'>> & {
    readonly randomRecipient?: boolean;
    readonly maxConnections?: number;
    readonly deadlineMs?: number;
    readonly hosts?: readonly MailHost[];
    /** Mail hosts by domain, where they are not the same for all. */
    readonly hostsOf?: (domain: string) => readonly MailHost[];
    readonly egressOf?: (email: string) => string | null;
    /** Called after each outcome. */
    readonly onOutcome?: (email: string, outcome: ProbeOutcome) => void;
  };

/** Hosts under scripts, and a bulk prober that asks them about addresses. Stop it after each test. */
export class BulkBench {
  private constructor(readonly bench: ProbeBench) {}

  static async start(...behaviours: Behaviour[]): Promise<BulkBench> {
    return new BulkBench(await ProbeBench.start(...behaviours));
  }

  /** The outcome of each address, by address; an address that got none, or two, is an error. */
  async outcomes(emails: readonly string[], options: BulkOptions = {}): Promise<Map<string, ProbeOutcome>> {
    const deadline = options.deadline ?? Deadline.after(options.deadlineMs ?? 10_000);
    const found = new Map<string, ProbeOutcome>();
    try {
      await this.prober(options).probe({
        domains: this.domains(emails, options),
        deadline,
        connections: options.maxConnections === undefined ? undefined : { count: options.maxConnections },
        patienceMs: options.patienceMs,
        list: options.list,
        trace: options.trace ?? ((event) => this.bench.trace.push(event)),
        onOutcome: (index, outcome) => {
          const email = emails[index] ?? '';
          if (found.has(email)) throw new Error(`${email} has two outcomes`);
          found.set(email, outcome);
          options.onOutcome?.(email, outcome);
        },
      });
    } finally {
      deadline.release();
    }
    for (const email of emails) if (!found.has(email)) throw new Error(`${email} has no outcome`);
    return found;
  }

  /** The facts of each address, none of which may be unavailable, in the order of the addresses. */
  async facts(emails: readonly string[], options: BulkOptions = {}): Promise<ProbeFacts[]> {
    const found = await this.outcomes(emails, options);
    return emails.map((email) => factsOf(found.get(email)));
  }

  prober(options: BulkOptions = {}): SmtpBulkProber {
    return new SmtpBulkProber(this.bench.settings(options));
  }

  /** Recipients as host `index` was asked about them, session by session. */
  recipients(index = 0): string[][] {
    return (this.bench.hosts[index]?.visits ?? []).map(({ commands }) =>
      commands.flatMap((line) => (line.startsWith('RCPT TO:<') ? [line.slice('RCPT TO:<'.length, -1)] : [])),
    );
  }

  async stop(): Promise<void> {
    await this.bench.stop();
  }

  private domains(emails: readonly string[], options: BulkOptions): BulkDomain[] {
    const domains = new Map<string, BulkDomain & { recipients: BulkDomain['recipients'][number][] }>();
    for (const [index, email] of emails.entries()) {
      const address = addressOf(email);
      const { domain } = address;
      const known = domains.get(domain) ?? {
        domain,
        hosts: options.hostsOf?.(domain) ?? options.hosts ?? this.bench.mailHosts,
        recipients: [],
        randomRecipient: options.randomRecipient ?? false,
      };
      domains.set(domain, known);
      known.recipients.push({ index, address, egress: options.egressOf?.(email) ?? null });
    }
    return [...domains.values()];
  }
}

export function factsOf(outcome: ProbeOutcome | undefined): ProbeFacts {
  if (outcome?.kind !== 'facts') throw new Error(`unavailable: ${outcome?.why ?? 'no outcome'}`);
  return outcome.facts;
}

/** `real0@…`, `ghost1@…`, …: `count` addresses of a domain, each `nth` of them of a mailbox that exists. */
export function emailsOf(domain: string, count: number, nth = 2): string[] {
  return Array.from({ length: count }, (_, index) => `${index % nth === 0 ? 'real' : 'ghost'}${index}@${domain}`);
}
