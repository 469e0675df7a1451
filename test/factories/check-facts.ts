import type { CheckFacts, MailHostFacts } from '../../src/engine/check.js';
import type { ReplyClass, Subject } from '../../src/engine/smtp/classification.js';
import type { ProbeFacts } from '../../src/engine/smtp/prober.js';

/** Facts of a probe whose recipient was accepted, but for `over`. */
export function probeFacts(over: Partial<ProbeFacts> = {}): ProbeFacts {
  return {
    stage: 'rcpt',
    ending: 'reply',
    code: 250,
    enhanced: '2.1.5',
    class: 'accepted',
    subject: 'mailbox',
    permanent: false,
    diagnosis: 'accepted',
    rule: 'accepted',
    retryAfterSeconds: null,
    random: 'not_asked',
    host: 'mx.example.com',
    egress: 'direct',
    ...over,
  };
}

/** A reply at RCPT that is no acceptance. */
export function refusal(said: ReplyClass, code: number, subject: Subject = 'mailbox'): ProbeFacts {
  return probeFacts({
    class: said,
    code,
    enhanced: null,
    subject,
    permanent: code >= 500,
    diagnosis: null,
    rule: said,
  });
}

/** A probe that ended without a reply. */
export function silence(ending: Exclude<ProbeFacts['ending'], 'reply'>, stage: ProbeFacts['stage']): ProbeFacts {
  const nothing = { code: null, enhanced: null, class: null, subject: null, diagnosis: null, rule: null };
  return probeFacts({ ...nothing, ending, stage });
}

export const FOUND: MailHostFacts = { kind: 'found', primary: 'mx.example.com', exchanges: ['mx.example.com'] };

/** Facts of a domain with one mail host, which a probe has asked. */
export function checkFacts(
  probe: ProbeFacts | null = probeFacts(),
  mailHosts: MailHostFacts | null = FOUND,
): CheckFacts {
  return { mailHosts, probe };
}
