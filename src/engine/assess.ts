import { addressOf, type Check } from './check.js';
import { NOTHING_KNOWN, type DomainKnowledge } from './domain-knowledge.js';
import type { CuratedLists, SignalLists } from './signals/lists.js';
import type { SmtpDiagnosis } from './smtp/classification.js';
import { DO_NOT_PROBE } from './smtp/judge-recipient.js';
import type { MailProvider } from './smtp/provider.js';
import { decide, type Decision } from './verdict/decision.js';
import type { Verdict } from './verdict/result.js';
import { score } from './verdict/score.js';
import { decideVerdict, isCatchAll, refusesMailbox, type VerdictFacts } from './verdict/verdict.js';

/** What facts are judged by: today's lists and tables, the same for a fresh check and a stored one. */
export interface Knowledge {
  readonly lists: SignalLists;
  readonly curated: CuratedLists;
  readonly findProvider: (mailHost: string) => MailProvider | null;
  readonly suggestCorrection: (text: string) => string | null;
}

/** Everything a result object says of one address, in the product's own words. */
export interface Assessment extends Verdict {
  /** Trimmed and lowercased. */
  readonly email: string;
  readonly mx: boolean;
  readonly mxRecord: string | null;
  readonly disposable: boolean;
  readonly role: boolean;
  readonly catchAll: boolean;
  /** Row 7 or 8 of decisions 5.1 holds whatever a probe says: the host is known to accept everybody. */
  readonly knownCatchAll: boolean;
  readonly freeEmail: boolean | null;
  readonly relay: boolean;
  readonly relayProvider: string | null;
  readonly parked: boolean;
  readonly spamTrap: boolean;
  readonly spamTrapType: 'known_trap_domain' | 'reputation_heuristic' | null;
  readonly suggestedCorrection: string | null;
  readonly smtpDiagnosis: SmtpDiagnosis | null;
  readonly score: number | null;
  readonly decision: Decision;
  readonly checkedAt: Date;
}

/** The signals of decisions 5.1 and 5.2, before a verdict. */
export interface Signals extends VerdictFacts {
  readonly freeEmail: boolean | null;
  readonly relayProvider: string | null;
  readonly parked: boolean;
  /** Only flags: it is no row of the verdict table, and stops no probe (decisions 5.3). */
  readonly suspectedTrap: boolean;
}

/** Reads every list and table for the facts of a check. No I/O; microseconds. */
export function readSignals(check: Check, knowledge: Knowledge, { catchAll, crawled }: DomainKnowledge): Signals {
  const { lists, curated, findProvider } = knowledge;
  const address = addressOf(check);
  const { mailHosts, probe } = check.facts;
  const domain = address?.domain ?? '';
  const exchanges = mailHosts?.kind === 'found' ? mailHosts.exchanges : [];
  const known = address !== null;
  const disposable =
    known &&
    !lists.isAllowListed(domain) &&
    (lists.isDisposableDomain(domain) || lists.isDisposableMailHost(exchanges));
  return {
    syntaxValid: known,
    blocked: known && curated.blocked(domain) !== null,
    mailHosts: mailHosts?.kind ?? 'unknown',
    disposable,
    role: known && lists.isRole(address.localPart),
    acceptsAll: (mailHosts?.kind === 'found' && findProvider(mailHosts.primary)?.acceptsAll) || 'never',
    answeringAcceptsAll: (probe !== null && probe.host !== null && findProvider(probe.host)?.acceptsAll) || 'never',
    knownCatchAll: known && catchAll,
    spamTrap: known && curated.isSpamTrap(domain, exchanges),
    noProbe: known && check.deferred && isLeftAlone(curated, domain, exchanges),
    mode: check.mode,
    deferred: check.deferred,
    probe,
    // Listed today is enough; that it is none only a classification can say.
    freeEmail: known ? (lists.isFreemail(domain) ?? crawled?.freemail ?? null) : null,
    relayProvider: known ? lists.relayProvider(domain, exchanges) : null,
    parked: known && crawled?.parked === true,
    suspectedTrap: known && crawled?.suspectedTrap === true,
  };
}

/** Address ranges are left out: where the hosts are is known to whoever connects. */
function isLeftAlone(list: Pick<CuratedLists, 'isNoProbe'>, domain: string, exchanges: readonly string[]): boolean {
  return list.isNoProbe(domain) || (exchanges.length > 0 && exchanges.every((host) => list.isNoProbe(host)));
}

/** Judges a check by today's knowledge. Pure but for the lists it reads. */
export function assess(check: Check, knowledge: Knowledge, domain: DomainKnowledge = NOTHING_KNOWN): Assessment {
  const signals = readSignals(check, knowledge, domain);
  const verdict = decideVerdict(signals);
  const { mailHosts } = check.facts;
  const { blocked, relayProvider, parked } = signals;
  const spamTrap = signals.spamTrap || signals.suspectedTrap;
  const email = check.parsed.ok ? check.parsed.address.text : check.parsed.text;
  return {
    email,
    mx: mailHosts?.kind === 'found',
    mxRecord: mailHosts?.kind === 'found' ? mailHosts.primary : null,
    disposable: signals.disposable,
    role: signals.role,
    catchAll: isCatchAll(signals),
    knownCatchAll: signals.acceptsAll === 'always' || signals.knownCatchAll,
    freeEmail: signals.freeEmail,
    relay: relayProvider !== null,
    relayProvider,
    parked,
    spamTrap,
    spamTrapType: spamTrap ? (signals.spamTrap ? 'known_trap_domain' : 'reputation_heuristic') : null,
    suggestedCorrection: knowledge.suggestCorrection(email),
    smtpDiagnosis: check.mode === 'enhanced' ? diagnose(check) : null,
    score: score({ result: verdict.result, blocked, spamTrap, parked, domain: domain.crawled?.facts ?? null }),
    decision: decide(verdict, spamTrap),
    checkedAt: check.checkedAt,
    // Last: V8 takes ten times as long for properties that follow a spread, 45 µs here.
    ...verdict,
  };
}

/**
 * `smtp_diagnosis` (decisions 5.4): what the reply said; null where no probe reply was got. A host is left alone after it
 * refused us: that reply is the one that still holds. One on the do-not-probe list is left alone without a refusal.
 */
function diagnose({ facts: { probe } }: Check): SmtpDiagnosis | null {
  if (probe === null) return null;
  if (probe.ending === 'backed_off') return probe.rule === DO_NOT_PROBE.rule ? null : 'policy_block';
  if (probe.ending !== 'reply') return null;
  return probe.diagnosis ?? (refusesMailbox(probe) ? 'mailbox_not_found' : null);
}
