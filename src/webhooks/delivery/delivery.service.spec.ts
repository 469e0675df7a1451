import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { only } from '../../../test/factories/only.js';
import { DEVELOPMENT_ADDRESS_KEY } from '../../platform/config/address-keys.js';
import { newId } from '../../platform/ids/uuid.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import { deliveryContext, secretContext } from '../sealing-contexts.js';
import { newSigningSecret } from '../signing/signing-secret.js';
import type { AttemptRecord } from './delivery-endings.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import type { Attempt } from './delivery-sender.js';
import type { ClaimedDelivery } from './delivery-turns.repository.js';
import { DeliveryService } from './delivery.service.js';

Logger.overrideLogger(false);
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const ENDPOINT = newId();
const sealer = new TextSealer([DEVELOPMENT_ADDRESS_KEY]);
const secret = sealer.seal(newSigningSecret(), secretContext(ENDPOINT));
type Timeless<T> = T extends unknown ? Omit<T, 'tookMs'> : never;
type Outcome = Timeless<Attempt>;
const answered = (status: number): Outcome => ({ kind: 'answered', status, retryAfter: null, answer: '' }) as const;
const OK = answered(204);
const FAILED = answered(500);

interface World {
  /** Deliveries that wait. */
  readonly count: number;
  readonly share?: number;
  readonly isFailing?: boolean;
  /** What comes of the nth attempt, from 0 on, and after how many milliseconds. */
  readonly attempt: (nth: number) => readonly [Outcome, number];
  /** Sealed secrets at the nth claim. */
  readonly secrets?: (claim: number) => readonly Buffer[];
  readonly onRecord?: (nth: number) => void;
  readonly onClaim?: (nth: number) => void;
  /** How long it takes to note a failure. */
  readonly noteMs?: number;
  /** The endpoint has failed before, and for five days. */
  readonly isLost?: boolean;
  /** Not for five days. */
  readonly staysOn?: boolean;
}

function service({ count, share = 10, isFailing = false, isLost = false, ...world }: World) {
  const waiting = Array.from({ length: count }, (_, n): ClaimedDelivery => {
    const id = newId();
    return { id, type: 'job.completed', body: sealer.seal(`${n}`, deliveryContext(id)), attempts: 1 };
  });
  const log = {
    claims: [] as number[],
    sent: [] as string[],
    most: 0,
    records: [] as AttemptRecord['next'][],
    answers: [] as (string | null)[],
    released: 0,
    notes: [] as string[],
  };
  let underWay = 0;
  let ended = 0;
  const deliveries = new DeliveryService(
    only({
      findEndpoint: async () => ({
        id: ENDPOINT,
        accountId: newId(),
        url: 'https://hooks.example.com/',
        isFailing,
        share,
      }),
      claim: async (_, limit) => {
        world.onClaim?.(log.claims.length);
        const secrets = world.secrets?.(log.claims.length) ?? [secret];
        log.claims.push(limit);
        return { deliveries: waiting.splice(0, limit), secrets };
      },
      nextDueMs: async () => 5000,
    }),
    only({
      record: async ({ id }, { next, answer }) => {
        world.onRecord?.(ended++);
        log.records.push(next);
        log.answers.push(answer && sealer.open(answer, deliveryContext(id)));
      },
      release: async () => void log.released++,
      noteFailure: async () => {
        await new Promise((resolve) => setTimeout(resolve, world.noteMs ?? 0));
        log.notes.push('failure');
        return !isLost;
      },
      noteSuccess: async () => void log.notes.push('success'),
      switchOff: async (_, by) => {
        log.notes.push(by);
        return world.staysOn !== true;
      },
    }),
    only({
      send: async ({ body, headers }, stop) => {
        const [outcome, ms] = world.attempt(log.sent.length);
        log.sent.push(`${body} ${headers['webhook-signature']!.split(' ').length}`);
        log.most = Math.max(log.most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, ms));
        underWay--;
        if (stop.aborted) return { kind: 'unanswered', fault: 'interrupted', ours: false, tookMs: ms };
        return { ...outcome, tookMs: ms };
      },
    }),
    sealer,
    new DeliveryMetrics(only({ registry: new Registry() })),
  );
  const stop = new AbortController();
  const run = deliveries.run(ENDPOINT, stop.signal);
  return { log, run, stop };
}

describe('a run of an endpoint', () => {
  it('sends all that waits, several at once, but never more than its share', async () => {
    const { log, run } = service({ count: 7, share: 3, attempt: () => [OK, 600] });
    await jest.advanceTimersByTimeAsync(4000);
    expect(await run).toEqual({ kind: 'again', afterMs: 5000 });
    expect(log).toMatchObject({ most: 3, records: Array(7).fill('delivered'), released: 0, notes: [] });
    expect(log.claims.every((limit) => limit <= 3)).toBe(true);
  });

  it('claims ahead while answers are quick', async () => {
    const { log, run } = service({ count: 12, share: 1, attempt: () => [OK, 499] });
    await jest.advanceTimersByTimeAsync(7000);
    await run;
    expect(log.claims.slice(0, 2)).toEqual([1, 10]);
    expect(log.sent).toHaveLength(11);
  });

  it('claims nothing after five seconds', async () => {
    const { log, run } = service({ count: 100, share: 1, attempt: () => [OK, 1000] });
    await jest.advanceTimersByTimeAsync(20_000);
    await run;
    expect(log.sent).toHaveLength(5);
  });

  it('leaves what it claimed ahead to a later run when that has waited for ten seconds', async () => {
    const { log, run } = service({ count: 30, share: 1, attempt: (nth) => [OK, nth === 0 ? 1 : 4000] });
    await jest.advanceTimersByTimeAsync(60_000);
    await run;
    // The first, then those begun 0, 4 and 8 seconds after the second claim.
    expect([log.sent.length, log.released]).toEqual([4, 7]);
  });

  it('leaves all that is not answered when the process stops', async () => {
    const { log, run, stop } = service({ count: 20, share: 2, attempt: (nth) => [OK, nth === 0 ? 1 : 2000] });
    await jest.advanceTimersByTimeAsync(1000);
    stop.abort();
    await jest.advanceTimersByTimeAsync(5000);
    await run;
    expect(log).toMatchObject({ claims: [2, 10], sent: { length: 3 }, records: ['delivered'], released: 11 });
  });

  it('fails with our own error when all under way has ended, and begins nothing more', async () => {
    const error = new Error('the database is gone');
    const onRecord = (nth: number): void => {
      if (nth === 0) throw error;
    };
    const { log, run } = service({ count: 9, share: 2, attempt: (nth) => [OK, 1000 + nth], onRecord });
    const ended = run.catch((thrown: unknown) => thrown);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBe(error);
    expect([log.sent.length, log.records.length]).toEqual([2, 1]);
  });

  it('fails with the error of a claim, without losing what is under way', async () => {
    const error = new Error('the database is gone');
    const onClaim = (nth: number): void => {
      if (nth === 1) throw error;
    };
    const { log, run } = service({ count: 9, share: 2, attempt: (nth) => [OK, 1000 * (nth + 1)], onClaim });
    const ended = run.catch((thrown: unknown) => thrown);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBe(error);
    expect(log.records).toEqual(['delivered', 'delivered']);
  });

  it('keeps the beginning of an answer, sealed', async () => {
    const { log, run } = service({ count: 1, attempt: () => [{ ...OK, answer: 'thanks' } as Outcome, 1] });
    await jest.advanceTimersByTimeAsync(10);
    await run;
    expect(log.answers).toEqual(['thanks']);
  });

  it('signs with the secrets of the claim', async () => {
    const secrets = (claim: number): Buffer[] => (claim === 0 ? [secret] : [secret, secret]);
    const { log, run } = service({ count: 2, share: 1, attempt: () => [OK, 600], secrets });
    await jest.advanceTimersByTimeAsync(3000);
    await run;
    expect(log.sent).toEqual(['0 1', '1 2']);
  });

  it('cannot send what it cannot read, and blames no endpoint for that', async () => {
    const { log, run } = service({ count: 1, attempt: () => [OK, 1], secrets: () => [Buffer.from('other')] });
    expect(await run).toMatchObject({ kind: 'again' });
    expect(log).toMatchObject({ sent: [], records: [expect.any(Number)], notes: [] });
  });
});

describe('what a run notes of its endpoint', () => {
  const notesOf = async (world: Omit<World, 'count'> & { count?: number }): Promise<string[]> => {
    const { log, run } = service({ count: 1, share: 1, ...world });
    await jest.advanceTimersByTimeAsync(20_000);
    await run;
    return log.notes;
  };

  it('is nothing while it is well', async () => {
    expect(await notesOf({ count: 3, attempt: () => [OK, 1] })).toEqual([]);
  });

  it('is the success after failures, once', async () => {
    expect(await notesOf({ count: 3, isFailing: true, attempt: () => [OK, 600] })).toEqual(['success']);
    expect(await notesOf({ count: 3, attempt: (nth) => [nth === 0 ? FAILED : OK, 600] })).toEqual([
      'failure',
      'success',
    ]);
  });

  it('is each failure, and the end after five days of them', async () => {
    expect(await notesOf({ count: 2, attempt: () => [FAILED, 600] })).toEqual(['failure', 'failure']);
    expect(await notesOf({ count: 9, isLost: true, attempt: () => [FAILED, 600] })).toEqual(['failure', 'failing']);
  });

  it('stops nothing before five days of failures', async () => {
    const { log, run } = service({ count: 9, share: 1, isLost: true, staysOn: true, attempt: () => [FAILED, 1] });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await run).toEqual({ kind: 'again', afterMs: 5000 });
    expect(log.sent).toHaveLength(9);
  });

  it('is that it is gone, after which nothing is claimed or sent', async () => {
    const { log, run } = service({ count: 30, share: 1, attempt: (nth) => [nth === 0 ? OK : answered(410), 1] });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await run).toEqual({ kind: 'over' });
    expect(log).toMatchObject({ claims: [1, 10], sent: { length: 2 }, released: 9, notes: ['gone'] });
  });

  it('is nothing of failures that are ours', async () => {
    const ours = { kind: 'unanswered', fault: 'dns', ours: true } as const;
    expect(await notesOf({ count: 2, attempt: () => [ours, 600] })).toEqual([]);
  });

  it('stays in the order in which attempts ended', async () => {
    const world = {
      count: 2,
      noteMs: 1500,
      share: 2,
      attempt: (nth: number) => [nth === 0 ? OK : FAILED, 2000 - nth * 1000] as const,
    };
    expect(await notesOf(world)).toEqual(['failure', 'success']);
  });
});
