import { mailHostGroup } from './mail-host-group.js';
import type { Politeness, PolitenessAnswer, PolitenessRequest } from './politeness.js';
import type { ProbeFacts } from './prober.js';
import type { MailProvider } from './provider.js';
import { NO_ANSWER, outcomeOf } from './sessions-outcome.js';
import { SessionsPermit } from './sessions-permit.js';

/**
 * The politeness permits of a check, one per group of mail hosts, released when the check ends. So a refusal by one host
 * of a group does not block the check from the next one.
 */
export class GroupPermits {
  private readonly kinds = new Map<string, PolitenessAnswer['kind']>();
  private readonly permits = new Map<string, SessionsPermit>();
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
    const known = this.kinds.get(group);
    if (known !== undefined) return known;
    const answer = await this.ask(group, provider);
    this.kinds.set(group, answer.kind);
    if (answer.kind === 'granted') this.permits.set(group, new SessionsPermit(group, this.check.domain, answer));
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
    this.permits.get(mailHostGroup(mailHost, provider))?.note(outcomeOf(facts));
  }

  /** Counts recipients asked about in a session with a host of the group. */
  countAsked(mailHost: string, provider: MailProvider | null, recipients: number): void {
    this.permits.get(mailHostGroup(mailHost, provider))?.countAsked(recipients);
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
    for (const permit of this.permits.values()) permit.release();
    this.permits.clear();
  }
}
