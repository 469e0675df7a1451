import { mailHostGroup } from './mail-host-group.js';
import type { Politeness, PolitenessAnswer, PolitenessRequest, SessionsOutcome } from './politeness.js';
import type { ProbeFacts } from './prober.js';
import type { MailProvider } from './provider.js';
import { betterOutcome, NO_ANSWER, outcomeOf } from './sessions-outcome.js';

interface GroupPermit {
  readonly answer: PolitenessAnswer;
  outcome: SessionsOutcome;
  /** Recipients asked about so far, in all sessions. */
  asked: number;
}

/**
 * The politeness permits of a check, one per group of mail hosts, released when the check ends. So a refusal by one host
 * of a group does not block the check from the next one.
 */
export class GroupPermits {
  private readonly permits = new Map<string, GroupPermit>();
  private patienceMs: number | undefined;

  constructor(
    private readonly politeness: Politeness,
    /** The request for every group. All groups share one patience. */
    private readonly check: Omit<PolitenessRequest, 'group' | 'provider'>,
  ) {
    this.patienceMs = check.patienceMs;
  }

  async acquire(mailHost: string, provider: MailProvider | null): Promise<PolitenessAnswer['kind']> {
    const group = mailHostGroup(mailHost, provider);
    const known = this.permits.get(group);
    if (known !== undefined) return known.answer.kind;
    const answer = await this.ask(group, provider);
    this.permits.set(group, { answer, outcome: NO_ANSWER, asked: 0 });
    return answer.kind;
  }

  /**
   * Asks for one more recipient on the open connection. Never waits.
   * @returns true if granted
   */
  async acquireOneMore(mailHost: string, provider: MailProvider | null): Promise<boolean> {
    const group = mailHostGroup(mailHost, provider);
    const answer = await this.politeness.acquire({ ...this.check, group, provider, recipients: 1, connected: true });
    if (answer.kind === 'granted') answer.release(NO_ANSWER);
    return answer.kind === 'granted';
  }

  /** Records the outcome of a session with a host of the group. The best outcome of a group counts. */
  record(mailHost: string, provider: MailProvider | null, facts: ProbeFacts): void {
    const held = this.permits.get(mailHostGroup(mailHost, provider));
    if (held === undefined) return;
    held.outcome = betterOutcome(held.outcome, outcomeOf(facts));
  }

  /** Counts recipients asked about in a session with a host of the group. */
  countAsked(mailHost: string, provider: MailProvider | null, recipients: number): void {
    const held = this.permits.get(mailHostGroup(mailHost, provider));
    if (held !== undefined) held.asked += recipients;
  }

  private async ask(group: string, provider: MailProvider | null): Promise<PolitenessAnswer> {
    const began = performance.now();
    const { patienceMs } = this;
    const { domain, egressId, recipients, deadline, requester } = this.check;
    const request = { group, provider, domain, egressId, recipients, deadline, requester, patienceMs };
    const answer = await this.politeness.acquire(request);
    if (this.patienceMs !== undefined) this.patienceMs = Math.max(0, this.patienceMs - (performance.now() - began));
    return answer;
  }

  release(): void {
    for (const { answer, outcome, asked } of this.permits.values()) {
      if (answer.kind === 'granted') answer.release(outcome, asked);
    }
    this.permits.clear();
  }
}
