import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { DO_NOT_PROBE } from '../../engine/smtp/judge-recipient.js';

/**
 * True for facts that say no more than that a mail host is left alone because it refused us. They are no outcome of an address of
 * a job, which has a day: it is asked about when the pause is over. Nobody on the do-not-probe list ever is.
 */
export function isLeftAlone(probe: ProbeFacts | null): boolean {
  return probe !== null && probe.ending === 'backed_off' && probe.rule !== DO_NOT_PROBE.rule;
}
