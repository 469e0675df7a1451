import type { Address } from '../../../src/engine/address/address.js';
import { Deadline } from '../../../src/engine/deadline.js';
import type { MailHost } from '../../../src/engine/dns/mail-hosts.js';
import type { EgressPool } from '../../../src/engine/smtp/egress.js';
import type { ProbeFacts, ProbeOutcome, ProbeRequest } from '../../../src/engine/smtp/prober.js';
import type { SmtpProberOptions } from '../../../src/engine/smtp/probe-tools.js';
import { SmtpProber } from '../../../src/engine/smtp/smtp-prober.js';
import type { TraceEvent } from '../../../src/engine/trace.js';
import { createEgressPool } from '../../../src/platform/egress/egress-pool.js';
import { classifyByCode } from './classify-by-code.js';
import { ScriptedHost, type Behaviour } from './scripted-host.js';

export const HELO_NAME = 'probe.example.net';

/** Whatever is left out is a healthy default. */
export type BenchOptions = Partial<SmtpProberOptions> &
  Partial<Omit<ProbeRequest, 'egress'>> & { readonly deadlineMs?: number };

/** Hosts under scripts, one port, and a prober that goes to them in order. Stop it after each test. */
export class ProbeBench {
  readonly trace: TraceEvent[] = [];

  private constructor(
    readonly hosts: readonly ScriptedHost[],
    readonly port: number,
  ) {}

  static async start(...behaviours: Behaviour[]): Promise<ProbeBench> {
    const [first = {}, ...others] = behaviours;
    const best = await ScriptedHost.start(first);
    const rest = await Promise.all(others.map((behaviour) => ScriptedHost.start(behaviour, best.port)));
    return new ProbeBench([best, ...rest], best.port);
  }

  get mailHosts(): MailHost[] {
    return this.hosts.map((host, index) => mailHost(index, host.address));
  }

  /** The facts of a probe that must not be unavailable. */
  async facts(email: string, options: BenchOptions = {}): Promise<ProbeFacts> {
    const outcome = await this.probe(email, options);
    if (outcome.kind !== 'facts') throw new Error(`unavailable: ${outcome.why}`);
    return outcome.facts;
  }

  async probe(email: string, options: BenchOptions = {}): Promise<ProbeOutcome> {
    const deadline = options.deadline ?? Deadline.after(options.deadlineMs ?? 5_000);
    try {
      return await this.prober(options).probe({
        address: addressOf(email),
        hosts: options.hosts ?? this.mailHosts,
        randomRecipient: options.randomRecipient ?? false,
        egress: null,
        deadline,
        patienceMs: options.patienceMs,
        onStage: options.onStage,
        trace: (event) => this.trace.push(event),
      });
    } finally {
      deadline.release();
    }
  }

  egressPool(): EgressPool {
    return createEgressPool({ heloName: HELO_NAME, mailFrom: null, entries: [], allowPrivateNetworks: true });
  }

  prober(options: BenchOptions = {}): SmtpProber {
    return new SmtpProber(this.settings(options));
  }

  settings(options: Partial<SmtpProberOptions>): SmtpProberOptions {
    return {
      egress: this.egressPool(),
      port: this.port,
      connectTimeoutMs: 2_000,
      greetingTimeoutMs: 4_000,
      commandTimeoutMs: 4_000,
      classify: classifyByCode,
      findProvider: () => null,
      ...options,
    };
  }

  get notes(): string[] {
    return this.trace.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  }

  async allClosed(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.allClosed()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop()));
  }
}

export function mailHost(index: number, ...addresses: string[]): MailHost {
  return { name: `mx${index + 1}.example.test`, preference: (index + 1) * 10, addresses };
}

/** Only what a prober looks at; syntax is not what is tested here. */
export function addressOf(email: string): Address {
  const at = email.lastIndexOf('@');
  const localPart = email.slice(0, at);
  // oxlint-disable-next-line no-control-regex -- everything beyond ASCII
  const internationalized = /[^\u0000-\u007f]/.test(localPart);
  return { text: email, localPart, domain: email.slice(at + 1), internationalized };
}

/** Sockets and timers of this process. */
export function living(): Record<string, number> {
  const counts: Record<string, number> = { TCPSocketWrap: 0, TLSWrap: 0, Timeout: 0 };
  for (const kind of process.getActiveResourcesInfo()) if (kind in counts) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
