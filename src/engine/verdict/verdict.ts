import type { ProbeFacts } from '../smtp/prober.js';
import type { Mode, Verdict } from './result.js';

/** Everything the table of decisions 5.1 looks at. Pure data: the same facts give the same verdict at any time. */
export interface VerdictFacts {
  readonly syntaxValid: boolean;
  readonly blocked: boolean;
  /** `unknown`: the DNS has not said yet. */
  readonly mailHosts: 'found' | 'none' | 'broken' | 'unknown';
  readonly disposable: boolean;
  readonly role: boolean;
  /** How the provider of the first mail host treats unknown recipients. */
  readonly acceptsAll: 'always' | 'sometimes' | 'never';
  /** The same of the mail host that answered the probe, which may be another's; left out: there is none, or it is not known. */
  readonly answeringAcceptsAll?: VerdictFacts['acceptsAll'];
  readonly knownCatchAll: boolean;
  readonly spamTrap: boolean;
  /** By its name, or those of all its mail hosts, the domain is on the do-not-probe list (decisions 6.6). */
  readonly noProbe: boolean;
  readonly mode: Mode;
  /** The probe is left to the worker (batch, async, guard deadline). */
  readonly deferred: boolean;
  readonly probe: ProbeFacts | null;
}

const verdict = (
  result: Verdict['result'],
  reason: Verdict['reason'],
  deliverable: Verdict['deliverable'] = null,
): Verdict => ({ result, reason, deliverable });

/**
 * Rows 1-11 of decisions 5.1: what is decided without a new probe. The first row that holds wins.
 * @returns null when only a probe can tell.
 */
export function decideBeforeProbe(facts: VerdictFacts): Verdict | null {
  if (!facts.syntaxValid) return verdict('invalid', 'bad_syntax', false);
  if (facts.blocked) return verdict('invalid', 'blocked_domain');
  // Row 3 comes before all others, and only the DNS can say whether it holds.
  if (facts.mailHosts === 'unknown') return verdict('unknown', 'verification_pending');
  if (facts.mailHosts === 'none') return verdict('invalid', 'no_mx', false);
  if (facts.disposable) return verdict('disposable', 'disposable_provider');
  if (facts.role) return verdict('role', 'role_address');
  if (facts.mailHosts === 'broken') return verdict('unknown', 'smtp_unreachable');
  if (facts.acceptsAll === 'always') return verdict('catch_all', 'accept_all_provider');
  if (facts.knownCatchAll) return verdict('catch_all', 'catch_all_domain');
  if (facts.spamTrap && facts.probe === null) return verdict('unknown', 'spam_trap');
  if (facts.mode === 'quick') return verdict('unknown', null);
  // Nobody would ever ask: what a probe of it comes to is said at once (row 17).
  if (facts.deferred && facts.probe === null)
    return verdict('unknown', facts.noProbe ? 'smtp_unreachable' : 'verification_pending');
  return null;
}

/** Rows 12-19 of decisions 5.1: what a probe's facts mean. */
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

/** Row 13, also where it was a host further down the list, such as a gateway that stands in, that accepted. */
function mayAcceptAll({ acceptsAll, answeringAcceptsAll = 'never' }: VerdictFacts): boolean {
  return acceptsAll !== 'never' || answeringAcceptsAll !== 'never';
}

/**
 * Row 15: a permanent refusal that is proven to speak of this mailbox, by its words and codes or by a witness. What proves
 * nothing is `unattributed`, and a refusal of us `policy`: neither gets here (decisions 6.4, 6.12).
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
 * Row 16: a deferral that does not speak of us. Greylisting counts at any stage and under any code, since some servers
 * greylist at MAIL and some write it as 550; a bare 421 closes the door on us and is row 17.
 */
export function defersMailbox(probe: ProbeFacts): boolean {
  if (probe.class === 'greylisted') return true;
  if (probe.stage !== 'rcpt' || probe.code === null || probe.code === 421) return false;
  return probe.code >= 400 && probe.code < 500 && probe.subject !== 'us';
}

/** The whole table. @throws Error when a probe is needed and there is none: a fault of the caller. */
export function decideVerdict(facts: VerdictFacts): Verdict {
  const settled = decideBeforeProbe(facts);
  if (settled) return settled;
  if (!facts.probe) throw new Error('a verdict needs a probe here, and there is none');
  return decideByProbe(facts.probe, facts);
}

/** `catch_all` of the result: true whenever row 7, 8, 12 or 13 would hold, whichever row decides (decisions 5.2). */
export function isCatchAll(facts: VerdictFacts): boolean {
  if (!facts.syntaxValid || facts.mailHosts !== 'found') return false;
  if (facts.acceptsAll === 'always' || facts.knownCatchAll) return true;
  return facts.probe !== null && decideByProbe(facts.probe, facts).result === 'catch_all';
}
