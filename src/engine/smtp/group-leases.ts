import { mailHostGroup } from './mail-host-group.js';
import type { Politeness, PolitenessAnswer, PolitenessRequest, SessionsOutcome } from './politeness.js';
import type { ProbeFacts } from './prober.js';
import type { MailProvider } from './provider.js';

interface Held {
  readonly answer: PolitenessAnswer;
  outcome: SessionsOutcome;
}

/**
 * The leave a check has from each group of mail hosts it visits: asked for once a group, given back when the check is over.
 * So a refusal by one host of a group does not shut the check out of the next one.
 */
export class GroupLeases {
  private readonly held = new Map<string, Held>();
  private patienceMs: number | undefined;

  constructor(
    private readonly politeness: Politeness,
    /** What each request for leave says, whatever the group. Patience is for all of them together. */
    private readonly check: Omit<PolitenessRequest, 'group' | 'provider'>,
  ) {
    this.patienceMs = check.patienceMs;
  }

  async acquire(mailHost: string, provider: MailProvider | null): Promise<PolitenessAnswer['kind']> {
    const group = mailHostGroup(mailHost, provider);
    const known = this.held.get(group);
    if (known !== undefined) return known.answer.kind;
    const answer = await this.ask(group, provider);
    this.held.set(group, { answer, outcome: { kind: 'no_answer', retryAfterSeconds: null } });
    return answer.kind;
  }

  /** Notes what a session with a host of the group came to. The best news of a group is what counts. */
  record(mailHost: string, provider: MailProvider | null, facts: ProbeFacts): void {
    const held = this.held.get(mailHostGroup(mailHost, provider));
    if (held === undefined) return;
    const outcome = outcomeOf(facts);
    if (RANK[outcome.kind] > RANK[held.outcome.kind]) held.outcome = outcome;
  }

  private async ask(group: string, provider: MailProvider | null): Promise<PolitenessAnswer> {
    const began = performance.now();
    const answer = await this.politeness.acquire({ ...this.check, group, provider, patienceMs: this.patienceMs });
    if (this.patienceMs !== undefined) this.patienceMs = Math.max(0, this.patienceMs - (performance.now() - began));
    return answer;
  }

  release(): void {
    for (const { answer, outcome } of this.held.values()) if (answer.kind === 'granted') answer.release(outcome);
    this.held.clear();
  }
}

const RANK: Readonly<Record<SessionsOutcome['kind'], number>> = {
  no_answer: 0,
  session_refused: 1,
  recipient_refused: 2,
  served: 3,
};

function outcomeOf(facts: ProbeFacts): SessionsOutcome {
  return { kind: kindOf(facts), retryAfterSeconds: facts.retryAfterSeconds };
}

/**
 * A demand for TLS or a login, and a relay denied, are how that host is set up: no displeasure with us, and no service. A
 * 421 is a door closed on us whatever it says (decisions 6.6), unless what it says is about the mailbox or greylisting.
 */
function kindOf({ ending, stage, code, class: said, subject }: ProbeFacts): SessionsOutcome['kind'] {
  if (ending !== 'reply') return 'no_answer';
  if (code === 421 && subject !== 'mailbox' && said !== 'greylisted') return 'session_refused';
  if (said === 'policy') return stage === 'rcpt' ? 'recipient_refused' : 'session_refused';
  return stage === 'rcpt' && subject !== 'us' ? 'served' : 'no_answer';
}
