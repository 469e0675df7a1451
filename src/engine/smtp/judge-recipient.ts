import { isRefusal, type Answer } from './answer.js';
import type { Classification, ReplyContext, WitnessNeed } from './classification.js';
import type { ProbeFacts } from './prober.js';
import type { Reply } from './reply.js';
import type { WitnessFinding } from './witness.js';

export type Classify = (reply: Reply, context: ReplyContext) => Classification;

/** The session's context for the classifier; the stage comes from the answer. */
export type SessionContext = Omit<ReplyContext, 'stage' | 'recipient'>;

/** The facts that one answer gives. */
export type JudgedAnswer = Omit<ProbeFacts, 'random' | 'host' | 'egress'>;

/** What the same check found out besides the answer about the recipient. */
export interface Beside {
  /** The result of the random recipient. */
  readonly random: ProbeFacts['random'];
  /** What is known of another recipient. Default: nothing. */
  readonly witness?: WitnessFinding | undefined;
}

/** The facts of an answer about the real recipient. */
export function judgeRecipient(
  answer: Answer,
  { random, witness = 'inconclusive' }: Beside,
  recipient: string,
  context: SessionContext,
  classify: Classify,
): JudgedAnswer {
  if (answer.kind !== 'reply') return silent(answer.stage, answer.kind);
  const { reply, stage } = answer;
  const judged = classify(reply, { stage, recipient, ...context });
  const facts: JudgedAnswer = {
    stage,
    ending: 'reply',
    code: reply.code,
    enhanced: reply.enhanced,
    ...(isUnprovenAcceptance(reply, random) ? UNPROVEN_ACCEPTANCE : judgement(judged)),
  };
  return judged.needsWitness === undefined ? facts : withWitness(facts, judged.needsWitness, witness);
}

/** The facts of a refusal that does not prove whom it is about. */
function withWitness(judged: JudgedAnswer, need: WitnessNeed, witness: WitnessFinding): JudgedAnswer {
  if (isProof(need, witness)) {
    const replyClass = judged.subject === 'mailbox' && judged.class !== null ? judged.class : 'mailbox_not_found';
    const diagnosis = judged.subject === 'mailbox' ? judged.diagnosis : 'mailbox_not_found';
    return { ...judged, class: replyClass, subject: 'mailbox', diagnosis, witness };
  }
  if (witness === 'postmaster_refused_alike') {
    return { ...judged, class: 'policy', subject: 'us', diagnosis: 'policy_block', witness };
  }
  return { ...judged, class: 'unattributed', subject: 'nobody', diagnosis: null, witness };
}

/** True if the host accepts mail for the domain from us, so that the refusal is about its own recipient. */
function isProof(need: WitnessNeed, witness: WitnessFinding): boolean {
  if (witness === 'recipient_accepted' || witness === 'recipient_accepted_before') return true;
  return witness === 'postmaster_accepted' && need === 'anybody';
}

/** Who could prove that this refusal is about its recipient; null if it needs no proof, or is no refusal of a recipient. */
export function witnessNeedOf(
  answer: Answer,
  recipient: string,
  context: SessionContext,
  classify: Classify,
): WitnessNeed | null {
  if (answer.stage !== 'rcpt' || !isRefusal(answer)) return null;
  return classify(answer.reply, { stage: answer.stage, recipient, ...context }).needsWitness ?? null;
}

/**
 * 252 (RFC 5321 4.2.2: "cannot verify, but will accept") says nothing about the mailbox. It counts as an acceptance
 * only if the random recipient was refused (the host tells recipients apart) or accepted (a catch-all).
 */
function isUnprovenAcceptance(reply: Reply, random: ProbeFacts['random']): boolean {
  return reply.code === 252 && random !== 'accepted' && random !== 'refused';
}

const UNPROVEN_ACCEPTANCE = {
  class: 'unattributed',
  subject: 'nobody',
  permanent: false,
  diagnosis: null,
  rule: 'code-252-unproven',
  retryAfterSeconds: null,
} as const satisfies Partial<JudgedAnswer>;

/**
 * Facts of a recipient that needs SMTPUTF8 on a host without it (RFC 6531 3.2): the host cannot have that mailbox
 * (decisions 6.3), as surely as if it had refused RCPT, which is never sent.
 */
export const SMTPUTF8_NOT_OFFERED: JudgedAnswer = {
  stage: 'rcpt',
  ending: 'reply',
  code: null,
  enhanced: null,
  class: 'mailbox_not_found',
  subject: 'mailbox',
  permanent: true,
  diagnosis: 'mailbox_not_found',
  rule: 'smtputf8-not-offered',
  retryAfterSeconds: null,
};

/** Facts of a recipient not asked about because the host offered no SMTPUTF8, or its extensions were not heard. */
export function withoutSmtpUtf8Facts({ smtpUtf8Unheard }: { readonly smtpUtf8Unheard?: boolean }): JudgedAnswer {
  return smtpUtf8Unheard === true ? silent('ehlo', 'closed') : SMTPUTF8_NOT_OFFERED;
}

/** Facts of a host not asked because its postmaster wants no probes (decisions 6.6). It has refused nothing. */
export const DO_NOT_PROBE: JudgedAnswer = { ...silent('none', 'backed_off'), rule: 'do-not-probe' };

/** Facts without a classified reply. */
export function silent(stage: ProbeFacts['stage'], ending: Exclude<ProbeFacts['ending'], 'reply'>): JudgedAnswer {
  return {
    stage,
    ending,
    code: null,
    enhanced: null,
    class: null,
    subject: null,
    permanent: false,
    diagnosis: null,
    rule: null,
    retryAfterSeconds: null,
  };
}

function judgement(judged: Classification): Omit<JudgedAnswer, 'stage' | 'ending' | 'code' | 'enhanced'> {
  return {
    class: judged.class,
    subject: judged.subject,
    permanent: judged.permanent,
    diagnosis: judged.diagnosis,
    rule: judged.rule,
    retryAfterSeconds: judged.retryAfterSeconds,
  };
}
