import { silent } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import type { SmtpStage } from './reply.js';

/** What a probe that is still under way comes to, by the stage it told (`OnStage`): rows 18 and 19 of decisions 5.1. */
export function factsSoFar(stage: SmtpStage): ProbeFacts {
  const ending = stage === 'connect' ? 'no_connection' : 'timeout';
  return { ...silent(stage, ending), random: 'not_asked', host: null, egress: null };
}
