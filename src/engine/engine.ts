import { parseAddress } from './address/parse-address.js';
import type { Address } from './address/address.js';
import { readSignals, type Knowledge } from './assess.js';
import type { Check, CheckOutcome, MailHostFacts } from './check.js';
import type { Deadline } from './deadline.js';
import type { MailHostFinder } from './dns/mail-host-finder.js';
import type { MailHostsFinding } from './dns/mail-hosts.js';
import { NOTHING_KNOWN, type DomainKnowledge } from './domain-knowledge.js';
import { explainProbe } from './smtp/explain-probe.js';
import type { OnStage, Prober } from './smtp/prober.js';
import type { Trace } from './trace.js';
import type { Mode } from './verdict/result.js';
import { decideBeforeProbe } from './verdict/verdict.js';

export interface CheckOptions {
  readonly mode: Mode;
  /** The budget of the whole check. */
  readonly deadline: Deadline;
  /** Leave a needed probe to somebody else: the check ends at DNS depth. */
  readonly deferProbe?: boolean;
  /** What is known of the address's domain. It may save the probe. Default: nothing. */
  readonly domain?: DomainKnowledge;
  /** Id of the egress to use: a greylist retry needs the same one. Default or null: any. */
  readonly egress?: string | null;
  /** How long a probe may wait for our politeness limits in total, milliseconds. Default: until the deadline. */
  readonly patienceMs?: number;
  /** Requesters that wait for the DNS, or for the same mail host, take turns. It has no other effect. */
  readonly requester?: string | undefined;
  /** Called with the probe's progress, for callers that cannot wait for its end (`factsSoFar`). */
  readonly onStage?: OnStage | undefined;
  readonly trace?: Trace | undefined;
}

export interface EngineParts {
  readonly mailHostFinder: Pick<MailHostFinder, 'findMailHosts'>;
  readonly prober: Prober;
  readonly knowledge: Knowledge;
}

/**
 * The verification engine: syntax, DNS and, if nothing else can tell, a probe. It gathers facts; `assess` judges them.
 * It knows no account, database or queue: the API, the worker, the command line and the tests share it.
 */
export class VerificationEngine {
  constructor(private readonly parts: EngineParts) {}

  /** Checks one address. Never throws for anything a name server or mail host does. */
  async check(email: string, options: CheckOptions): Promise<CheckOutcome> {
    const { deadline, requester, trace } = options;
    const parsed = parseAddress(email);
    if (!parsed.ok) {
      trace?.({ kind: 'note', text: `not an address: ${parsed.fault}` });
      return this.checked({ parsed, facts: { mailHosts: null, probe: null } }, options);
    }
    const asking = { deadline, requester, trace };
    const finding = await this.parts.mailHostFinder.findMailHosts(parsed.address.domain, asking);
    if (finding.kind === 'unavailable') return finding;

    const atDnsDepth = { parsed, facts: { mailHosts: mailHostFacts(finding), probe: null } };
    const outcome = this.checked(atDnsDepth, options);
    if (finding.kind !== 'found' || !this.needsProbe(outcome.check, options.domain)) return outcome;
    return this.probe(parsed.address, finding, options, atDnsDepth);
  }

  private async probe(
    address: Address,
    finding: MailHostsFinding & { kind: 'found' },
    options: CheckOptions,
    atDnsDepth: Pick<Check, 'parsed' | 'facts'>,
  ): Promise<CheckOutcome> {
    const outcome = await this.parts.prober.probe({
      address,
      hosts: finding.hosts,
      randomRecipient: options.mode === 'enhanced',
      egress: options.egress ?? null,
      deadline: options.deadline,
      patienceMs: options.patienceMs,
      requester: options.requester,
      onStage: options.onStage,
      trace: options.trace,
    });
    if (outcome.kind === 'unavailable') return outcome;
    if (options.trace) for (const text of explainProbe(outcome.facts)) options.trace({ kind: 'note', text });
    const facts = { mailHosts: atDnsDepth.facts.mailHosts, probe: outcome.facts };
    return this.checked({ parsed: atDnsDepth.parsed, facts }, options);
  }

  /** False if rows 1-10 of decisions 5.1 settle the address without a probe. */
  private needsProbe(check: Check, domain: DomainKnowledge = NOTHING_KNOWN): boolean {
    return decideBeforeProbe(readSignals(check, this.parts.knowledge, domain)) === null;
  }

  private checked(
    { parsed, facts }: Pick<Check, 'parsed' | 'facts'>,
    { mode, deferProbe = false }: CheckOptions,
  ): CheckOutcome & { kind: 'checked' } {
    return { kind: 'checked', check: { parsed, mode, deferred: deferProbe, facts, checkedAt: new Date() } };
  }
}

/**
 * Mail host names stored with the facts. No sender tries more, and a domain that lists thousands must not bloat the
 * record of each address.
 */
const MAX_EXCHANGES = 30;

/** The part of a finding that is stored. */
export function mailHostFacts(finding: Exclude<MailHostsFinding, { kind: 'unavailable' }>): MailHostFacts {
  if (finding.kind === 'found') {
    return { kind: 'found', primary: finding.primary, exchanges: finding.exchanges.slice(0, MAX_EXCHANGES) };
  }
  if (finding.kind === 'none') return { kind: 'none', why: finding.why, ttlSeconds: finding.ttlSeconds };
  return { kind: 'broken', why: finding.why };
}
