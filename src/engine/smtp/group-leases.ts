import type { Deadline } from '../deadline.js';
import { mailHostGroup } from './mail-host-group.js';
import type { Politeness, PolitenessAnswer, SessionsOutcome } from './politeness.js';
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

  constructor(
    private readonly politeness: Politeness,
    private readonly egressId: string,
    private readonly recipients: number,
    private readonly deadline: Deadline,
  ) {}

  async acquire(mailHost: string, provider: MailProvider | null): Promise<PolitenessAnswer['kind']> {
    const group = mailHostGroup(mailHost, provider);
    const known = this.held.get(group);
    if (known !== undefined) return known.answer.kind;
    const { egressId, recipients, deadline } = this;
    const answer = await this.politeness.acquire({ group, provider, egressId, recipients, deadline });
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

  release(): void {
    for (const { answer, outcome } of this.held.values()) if (answer.kind === 'granted') answer.release(outcome);
    this.held.clear();
  }
}

const RANK: Readonly<Record<SessionsOutcome['kind'], number>> = { no_answer: 0, refused_us: 1, served: 2 };

function outcomeOf(facts: ProbeFacts): SessionsOutcome {
  if (facts.ending !== 'reply') return { kind: 'no_answer', retryAfterSeconds: null };
  const kind = facts.subject === 'us' ? 'refused_us' : 'served';
  return { kind, retryAfterSeconds: facts.retryAfterSeconds };
}
