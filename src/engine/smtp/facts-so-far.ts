import { silent } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import type { SmtpStage } from './reply.js';

/** The facts of an unfinished probe, by its last stage (`OnStage`): rows 18 and 19 of decisions 5.1. */
export function factsSoFar(stage: SmtpStage): ProbeFacts {
  const ending = stage === 'connect' ? 'no_connection' : 'timeout';
  return { ...silent(stage, ending), random: 'not_asked', host: null, egress: null };
}
