/** The cost of a witness for an ambiguous refusal, compared with an explicit refusal. */
import { assess } from '../src/engine/assess.js';
import { Deadline } from '../src/engine/deadline.js';
import type { RunningEngine } from '../src/verify/engine/create-engine.js';
import { engineFor } from '../test/engine/engine-under-test.js';
import { rememberedRecipients } from '../test/factories/remembered-recipients.js';
import { EXPLICIT_DOMAIN, ROUND_TRIP_MS, UNPROVEN_DOMAIN } from './lib/bench-world.js';
import { startChild } from './lib/child.js';
import { report, type Figure } from './lib/figure.js';
import { percentile, settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';
import type { LaboratoryTold } from './processes/laboratory.js';

const PROBES = 100;
const AT_ONCE = 10;
const EXPLICIT = 'refused in plain words';
const KNOWN = 'refused without a reason, another recipient accepted before';
const ASKED = 'refused without a reason, postmaster asked';

interface Variant {
  readonly domain: string;
  readonly running: RunningEngine;
  /** Recipients that each check must ask about. */
  readonly recipients: number;
}

async function main(): Promise<void> {
  const laboratory = await startChild<LaboratoryTold>('laboratory');
  const forgetful = engineFor(laboratory.told);
  const remembering = engineFor(laboratory.told, {}, { acceptedRecipients: rememberedRecipients() });
  await probe('real', { domain: UNPROVEN_DOMAIN, running: remembering, recipients: 1 }, 'valid');
  const took = await inTurns({
    [EXPLICIT]: () => tookEach({ domain: EXPLICIT_DOMAIN, running: forgetful, recipients: 1 }),
    [KNOWN]: () => tookEach({ domain: UNPROVEN_DOMAIN, running: remembering, recipients: 1 }),
    [ASKED]: () => tookEach({ domain: UNPROVEN_DOMAIN, running: forgetful, recipients: 2 }),
  });
  forgetful.close();
  remembering.close();
  await laboratory.stop();
  const medians = (name: keyof typeof took): number[] => took[name].map((each) => percentile(each, 0.5));
  const explicit = { what: EXPLICIT, rounds: medians(EXPLICIT) };
  const figures: Figure[] = [
    {
      what: `${EXPLICIT}: p50`,
      unit: 'ms',
      rounds: explicit.rounds,
      baseline: { what: '3 round trips', rounds: explicit.rounds.map(() => 3 * ROUND_TRIP_MS) },
    },
    { what: `${KNOWN}: p50`, unit: 'ms', rounds: medians(KNOWN), baseline: explicit, target: { atMost: 1.1 } },
    { what: `${ASKED}: p50`, unit: 'ms', rounds: medians(ASKED), baseline: explicit, target: { atMost: 1.5 } },
  ];
  report(figures);
}

async function tookEach(variant: Variant): Promise<number[]> {
  const took: number[] = [];
  await settledPerSecond(PROBES, AT_ONCE, async () => {
    const began = performance.now();
    await probe('ghost', variant, 'invalid');
    took.push(performance.now() - began);
  });
  return took;
}

async function probe(name: string, { domain, running, recipients }: Variant, expected: string): Promise<void> {
  const deadline = Deadline.after(8000);
  let asked = 0;
  const outcome = await running.engine.check(`${name}@${domain}`, {
    mode: 'standard',
    deadline,
    trace: (event) => {
      if (event.kind === 'smtp' && event.direction === 'sent' && event.line.startsWith('RCPT TO:')) asked += 1;
    },
  });
  deadline.release();
  const result = outcome.kind === 'checked' ? assess(outcome.check, running.knowledge).result : outcome.why;
  if (result !== expected) throw new Error(`a mailbox was found ${result}, not ${expected}`);
  if (asked !== recipients) throw new Error(`${asked} recipients were asked about, not ${recipients} at ${domain}`);
}

void main();
