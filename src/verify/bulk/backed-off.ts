import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { DO_NOT_PROBE } from '../../engine/smtp/judge-recipient.js';

/**
 * True if the facts only say that we paused a mail host because it refused us. A job has a day, so this is no outcome:
 * the address is probed after the pause. Hosts on the do-not-probe list are never probed.
 */
export function isBackedOff(probe: ProbeFacts | null): boolean {
  return probe !== null && probe.ending === 'backed_off' && probe.rule !== DO_NOT_PROBE.rule;
}
