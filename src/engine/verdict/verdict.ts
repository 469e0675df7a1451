import type { ProbeFacts } from '../smtp/prober.js';
import type { Mode, Verdict } from './result.js';

/** The input of the table of decisions 5.1. Pure data: the same facts always give the same verdict. */
export interface VerdictFacts {
  readonly syntaxValid: boolean;
  readonly blocked: boolean;
  /** `unknown`: the DNS has not answered yet. */
  readonly mailHosts: 'found' | 'none' | 'broken' | 'unknown';
  readonly disposable: boolean;
  readonly role: boolean;
  /** How the provider of the first mail host treats unknown recipients. */
  readonly acceptsAll: 'always' | 'sometimes' | 'never';
  /**
   * The same for the mail host that answered the probe, which may belong to another provider. Left out if none answered
   * or it is unknown.
   */
  readonly answeringAcceptsAll?: VerdictFacts['acceptsAll'];
  readonly knownCatchAll: boolean;
  readonly spamTrap: boolean;
  /** True if the domain or all its mail hosts are on the do-not-probe list by name (decisions 6.6). */
  readonly noProbe: boolean;
  readonly mode: Mode;
  /** True if the worker does the probe (batch, async, guard deadline). */
  readonly deferred: boolean;
  readonly probe: ProbeFacts | null;
}

const verdict = (
  result: Verdict['result'],
  reason: Verdict['reason'],
  deliverable: Verdict['deliverable'] = null,
): Verdict => ({ result, reason, deliverable });

/**
 * Applies rows 1-11 of decisions 5.1, which need no new probe. The first row that holds wins.
 * @returns null if only a probe can tell
 */
export function decideBeforeProbe(facts: VerdictFacts): Verdict | null {
  if (!facts.syntaxValid) return verdict('invalid', 'bad_syntax', false);
  if (facts.blocked) return verdict('invalid', 'blocked_domain');
  // Row 3 precedes all others, and only the DNS can say whether it holds.
  if (facts.mailHosts === 'unknown') return verdict('unknown', 'verification_pending');
  if (facts.mailHosts === 'none') return verdict('invalid', 'no_mx', false);
  if (facts.disposable) return verdict('disposable', 'disposable_provider');
  if (facts.role) return verdict('role', 'role_address');
  if (facts.mailHosts === 'broken') return verdict('unknown', 'smtp_unreachable');
  if (facts.acceptsAll === 'always') return verdict('catch_all', 'accept_all_provider');
  if (facts.knownCatchAll) return verdict('catch_all', 'catch_all_domain');
  if (facts.spamTrap && facts.probe === null) return verdict('unknown', 'spam_trap');
  if (facts.mode === 'quick') return verdict('unknown', null);
  // Nobody would ever probe it, so row 17 applies at once.
  if (facts.deferred && facts.probe === null)
    return verdict('unknown', facts.noProbe ? 'smtp_unreachable' : 'verification_pending');
  return null;
}

/** Applies rows 12-19 of decisions 5.1 to a probe's facts. */
function decideByProbe(probe: ProbeFacts, facts: VerdictFacts): Verdict {
  switch (probe.ending) {
    case 'no_connection':
    case 'backed_off':
    case 'closed':
    case 'garbage':
      return verdict('unknown', 'smtp_unreachable');
    case 'timeout':
      return verdict('unknown', 'smtp_timeout');
    case 'reply':
      break;
  }
  if (probe.class === 'accepted') {
    if (facts.mode === 'enhanced' && probe.random === 'accepted') return verdict('catch_all', 'catch_all_domain');
    if (mayAcceptAll(facts) && probe.random !== 'refused') return verdict('catch_all', 'accept_all_provider');
    return verdict('valid', 'mailbox_accepts', true);
  }
  if (refusesMailbox(probe)) return verdict('invalid', 'mailbox_not_found', false);
  if (defersMailbox(probe)) return verdict('unknown', 'greylisted');
  return verdict('unknown', 'smtp_unreachable');
}

/** Row 13, also if a host further down the list accepted, such as a stand-in gateway. */
function mayAcceptAll({ acceptsAll, answeringAcceptsAll = 'never' }: VerdictFacts): boolean {
  return acceptsAll !== 'never' || answeringAcceptsAll !== 'never';
}

/**
 * Row 15: a permanent refusal proven to be about this mailbox, by its words and codes or by a witness. Unproven
 * refusals are `unattributed` and refusals of us `policy`, so neither gets here (decisions 6.4, 6.12).
 */
export function refusesMailbox(probe: ProbeFacts): boolean {
  if (probe.ending !== 'reply' || probe.stage !== 'rcpt' || !probe.permanent) return false;
  switch (probe.class) {
    case 'mailbox_not_found':
    case 'mailbox_disabled':
    case 'mailbox_full':
      return true;
    default:
      return false;
  }
}

/**
 * Row 16: a deferral that is not about us. Greylisting counts at any stage and with any code, because some servers
 * greylist at MAIL and some answer 550; a bare 421 closes the door on us and is row 17.
 */
export function defersMailbox(probe: ProbeFacts): boolean {
  if (probe.class === 'greylisted') return true;
  if (probe.stage !== 'rcpt' || probe.code === null || probe.code === 421) return false;
  return probe.code >= 400 && probe.code < 500 && probe.subject !== 'us';
}

/** Applies the whole table. @throws Error if the table needs a probe and there is none: a bug of the caller */
export function decideVerdict(facts: VerdictFacts): Verdict {
  const settled = decideBeforeProbe(facts);
  if (settled) return settled;
  if (!facts.probe) throw new Error('a verdict needs a probe here, and there is none');
  return decideByProbe(facts.probe, facts);
}

/** `catch_all` of the result: true if row 7, 8, 12 or 13 would hold, whichever row decides (decisions 5.2). */
export function isCatchAll(facts: VerdictFacts): boolean {
  if (!facts.syntaxValid || facts.mailHosts !== 'found') return false;
  if (facts.acceptsAll === 'always' || facts.knownCatchAll) return true;
  return facts.probe !== null && decideByProbe(facts.probe, facts).result === 'catch_all';
}
