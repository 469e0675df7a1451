import { assess, type Assessment } from '../../src/engine/assess.js';
import { Deadline } from '../../src/engine/deadline.js';
import type { TraceEvent } from '../../src/engine/trace.js';
import type { Mode } from '../../src/engine/verdict/result.js';
import { loadEngineConfig } from '../../src/platform/config/load-config.js';
import { createEngine, type EngineSurroundings, type RunningEngine } from '../../src/verify/engine/create-engine.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import type { Laboratory } from '../lab/laboratory.js';

/** Budget of one check: that of a `single` call (`VERIFY_DEADLINE_MS`). */
export const DEADLINE_MS = 8000;

/** The engine as a process has it, with the laboratory for its internet. Close it in the end. */
export function engineFor(
  laboratory: Pick<Laboratory, 'dnsServer' | 'smtpPort'>,
  environment: Readonly<Record<string, string>> = {},
  surroundings: EngineSurroundings = {},
): RunningEngine {
  return createEngine(
    loadEngineConfig({
      ...laboratoryEnvironment(laboratory),
      ...environment,
    }),
    surroundings,
  );
}

export interface Checked {
  /** What the result says, by the names of the contract; null: unavailable. */
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly tookMs: number;
  /** The DNS answers and the dialogue, as `--explain` has them. */
  readonly story: readonly string[];
}

/** Checks one address with a deadline of its own. */
export async function checkAddress(
  { engine, knowledge }: RunningEngine,
  email: string,
  mode: Mode,
  deadlineMs = DEADLINE_MS,
): Promise<Checked> {
  const story: string[] = [];
  const deadline = Deadline.after(deadlineMs);
  const began = performance.now();
  const outcome = await engine.check(email, { mode, deadline, trace: (event) => story.push(told(event)) });
  const tookMs = performance.now() - began;
  deadline.release();
  if (outcome.kind === 'unavailable') return { result: null, tookMs, story: [...story, `unavailable: ${outcome.why}`] };
  return { result: named(assess(outcome.check, knowledge)), tookMs, story };
}

/** The keys in which a result is not as expected. A list of alternatives holds when one of them does. */
export function misses(result: Checked['result'], expect: Readonly<Record<string, unknown>>): string[] {
  if (result === null) return ['unavailable'];
  return Object.entries(expect)
    .filter(([key, wanted]) => !(Array.isArray(wanted) ? wanted : [wanted]).includes(result[key]))
    .map(([key, wanted]) => `${key}: ${JSON.stringify(result[key])}, not ${JSON.stringify(wanted)}`);
}

function named(assessment: Assessment): Record<string, unknown> {
  return {
    result: assessment.result,
    reason: assessment.reason,
    deliverable: assessment.deliverable,
    recommendation: assessment.decision.recommendation,
    mx: assessment.mx,
    mx_record: assessment.mxRecord,
    catch_all: assessment.catchAll,
    smtp_diagnosis: assessment.smtpDiagnosis,
  };
}

function told(event: TraceEvent): string {
  switch (event.kind) {
    case 'dns':
      return `dns   ${event.name} ${event.type} (${event.transport}): ${event.answer}`;
    case 'smtp':
      return `smtp  ${event.host} ${event.direction === 'sent' ? '>' : '<'} ${event.line}`;
    default:
      return `note  ${event.text}`;
  }
}
