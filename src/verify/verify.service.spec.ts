import { probeFacts } from '../../test/factories/check-facts.js';
import { checkOf, FOUND, NONE, open, resultOf, verifyScene } from '../../test/factories/verify-scene.js';
import type { CheckFacts, CheckOutcome } from '../engine/check.js';
import type { ProbeFacts } from '../engine/smtp/prober.js';
import type { SingleOptions } from './single-check.js';

it('reads the balance while the rest is looked up', async () => {
  const { single, dns, balanceReads } = verifyScene();
  const call = single('ada@example.com');
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE) });
  await call;
  expect(balanceReads()).toBe(1);
});

it.each([
  [false, 'fresh'],
  [true, 'cached_stale_refreshed'],
])('says of a new check whether it replaces one that was too old: %s', async (stale, freshness) => {
  const { single, dns, live } = verifyScene({ stale });
  const answer = (email: string, facts: CheckFacts) =>
    ({ kind: 'checked', check: checkOf(email, 'standard', facts) }) as const;
  dns.resolve(answer('ada@example.com', FOUND));
  live.resolve(answer('ada@example.com', { ...FOUND, probe: probeFacts() }));
  expect(resultOf(await single('ada@example.com'))).toMatchObject({ result: 'valid', freshness });
  const pending = await single('ada@example.com', { async: true });
  expect(resultOf(pending)).toMatchObject({ reason: 'verification_pending', freshness });
});

describe('a check that is being recorded', () => {
  const recordedLater = (over: Partial<SingleOptions>) => {
    const { single, dns, live } = verifyScene();
    const recording = open<boolean>();
    dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
    live.resolve({
      kind: 'checked',
      check: checkOf('ada@example.com', 'standard', NONE, false),
      recording: recording.promise,
    });
    return { call: single('ada@example.com', over), recording };
  };

  it('is charged meanwhile, and answered once it is in the cache', async () => {
    const { call, recording } = recordedLater({ pendingAfterMs: null });
    const { after } = await call;
    let over = false;
    const waiting = Promise.resolve(after?.(true)).then(() => (over = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    recording.resolve(true);
    expect(await waiting).toBe(true);
  });

  it('does not keep a caller with its own deadline', async () => {
    const { call, recording } = recordedLater({ pendingAfterMs: 500 });
    expect((await call).after).toBeUndefined();
    recording.resolve(true);
  });
});

it.each([
  ['accepted', { result: 'catch_all', reason: 'catch_all_domain', deliverable: null }],
  ['not_asked', { result: 'valid', reason: 'mailbox_accepts', deliverable: true }],
] as const)('judges the deeper check that it joined by a random recipient that was %s', async (random, expected) => {
  const { single, dns, live } = verifyScene();
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
  const facts = { ...FOUND, probe: probeFacts({ random }) };
  const at = { checkedAt: new Date(), expiresAt: new Date(), engineVersion: 2 };
  const cached = { hash: '', domain: 'example.com', facts, depth: 'enhanced', ...at } as const;
  live.resolve({ kind: 'recorded', cached, joined: true });
  expect(resultOf(await single('ada@example.com', { pendingAfterMs: null }))).toMatchObject(expected);
});

describe('a caller with its own deadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("gets the mail host's answer if it comes in time", async () => {
    const { single, happened, dns, live } = verifyScene();
    const call = single('ada@example.com');
    dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
    live.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE) });
    expect(resultOf(await call)).toMatchObject({ result: 'invalid', reason: 'no_mx' });
    expect(happened).toEqual(['reserve 1', 'dns for ada@example.com within 8 s', 'live standard within 8 s']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gets a pending answer at DNS depth while the mail host is slow, and the check continues', async () => {
    const { service, single, happened, dns, live } = verifyScene();
    const call = single('ada@example.com');
    dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
    await jest.advanceTimersByTimeAsync(500);
    const response = await call;
    expect(resultOf(response)).toMatchObject({
      result: 'unknown',
      reason: 'verification_pending',
      deliverable: null,
      mx: true,
      mx_record: 'mx.example.com',
      degraded: false,
    });
    expect(response).toMatchObject({
      price: { credits: 1 },
      headers: { 'Retry-After': '2' },
      waiting: [{ waitsOn: 'row', credits: 1 }],
    });
    await response.after?.(true);
    expect(happened.slice(2)).toEqual(['live standard within 8 s', 'add standard', 'queue in 8 s', 'settle row']);

    const closing = jest.fn();
    const closed = service.beforeApplicationShutdown().then(closing);
    await jest.advanceTimersByTimeAsync(100);
    expect(closing).not.toHaveBeenCalled();
    live.resolve({ kind: 'unavailable', why: 'nothing came' });
    await closed;
  });

  it('is not told of a missing mail host while the DNS is slow, and the mail host is probed later', async () => {
    const { single, happened, dns } = verifyScene();
    const call = single('ada@example.com');
    await jest.advanceTimersByTimeAsync(500);
    const response = await call;
    expect(resultOf(response)).toMatchObject({
      result: 'unknown',
      reason: 'verification_pending',
      deliverable: null,
      mx: false,
      mx_record: null,
      catch_all: false,
      score: null,
      decision: { recommendation: 'review', reasons: ['verification_pending'] },
    });
    await response.after?.(true);
    expect(happened.slice(2)).toEqual(['add standard', 'queue in 8 s', 'settle row']);
    await jest.advanceTimersByTimeAsync(1500);
    dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
    await jest.advanceTimersByTimeAsync(0);
    expect(happened.at(-1)).toBe('live standard within 6 s');
  });

  it.each([
    ['a throw-away domain', 'ada@throwaway.example', { disposable: true, reason: 'verification_pending' }],
    ['a role', 'info@example.com', { role: true, reason: 'verification_pending' }],
    ['a blocked domain', 'ada@blocked.example', { result: 'invalid', reason: 'blocked_domain', deliverable: null }],
  ])('gets the list verdict for %s without the DNS', async (_, email, expected) => {
    const { single } = verifyScene();
    const call = single(email);
    await jest.advanceTimersByTimeAsync(500);
    expect(resultOf(await call)).toMatchObject(expected);
  });

  it('pays only the known price while the DNS is slow', async () => {
    const rich = verifyScene();
    const call = rich.single('ada@example.com', { mode: 'enhanced' });
    await jest.advanceTimersByTimeAsync(500);
    expect((await call).price).toMatchObject({ credits: 1, addresses: 1 });
    const poor = verifyScene({ canPay: 1 });
    const other = poor.single('ada@example.com', { mode: 'enhanced' });
    await jest.advanceTimersByTimeAsync(500);
    expect((await other).price).toMatchObject({ credits: 1 });
    expect(poor.happened).toEqual(['dns for ada@example.com within 8 s', 'reserve 1', 'add enhanced']);
  });

  it('pays nothing for a quick call, which asks only the DNS', async () => {
    const { single, happened } = verifyScene();
    const call = single('ada@example.com', { mode: 'quick' });
    await jest.advanceTimersByTimeAsync(500);
    const response = await call;
    expect(response).toMatchObject({ price: { credits: 0, addresses: 0 }, headers: { 'Retry-After': '2' } });
    expect(resultOf(response)).toMatchObject({ result: 'unknown', reason: 'verification_pending' });
    expect(happened).toEqual(['dns for ada@example.com within 8 s']);
  });

  it('is told that the egress to mail hosts is closed', async () => {
    const { single, dns } = verifyScene({ egressClosed: true });
    const call = single('ada@example.com');
    dns.resolve({ kind: 'unavailable', why: 'port 25 seems to be closed' });
    const [refusal] = await Promise.allSettled([call]);
    expect(refusal).toMatchObject({
      reason: { message: expect.stringContaining('Our egress to mail hosts is closed') },
    });
  });

  it('gets our own failure if it came in time, and not a later one', async () => {
    const early = verifyScene();
    const call = early.single('ada@example.com');
    early.dns.resolve({ kind: 'unavailable', why: 'no resolver' });
    expect((await Promise.allSettled([call]))[0]).toMatchObject({ reason: { code: 'verify_unavailable' } });
    const late = verifyScene();
    const other = late.single('ada@example.com');
    await jest.advanceTimersByTimeAsync(500);
    expect(resultOf(await other)).toMatchObject({ reason: 'verification_pending' });
    late.dns.resolve({ kind: 'unavailable', why: 'no resolver' });
    await late.service.beforeApplicationShutdown();
  });
});

it('waits for the credits of other calls for half of its time at most', async () => {
  jest.useFakeTimers();
  for (const [pendingAfterMs, wait] of [
    [null, 4000],
    [500, 250],
  ] as const) {
    const { single, dns, waits } = verifyScene();
    dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE) });
    await single('ada@example.com', { pendingAfterMs });
    expect(waits).toEqual([wait]);
  }
  jest.useRealTimers();
});

it.each([
  [true, ['keep']],
  [false, []],
])('keeps what the DNS has settled if it is paid: %s', async (paid, kept) => {
  const { single, dns, happened } = verifyScene();
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE) });
  const { after } = await single('ada@example.com', { pendingAfterMs: null });
  happened.length = 0;
  await after?.(paid);
  expect(happened).toEqual(kept);
});

it("a caller that waits in vain for another call's check gets a pending answer", async () => {
  const { single, dns, live, happened } = verifyScene();
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
  live.resolve({ kind: 'under_way' });
  const response = await single('ada@example.com', { pendingAfterMs: null });
  expect(response).toMatchObject({ probed: true, waiting: [{ waitsOn: 'row' }], headers: { 'Retry-After': '2' } });
  expect(resultOf(response)).toMatchObject({ reason: 'verification_pending' });
  expect(happened.slice(-1)).toEqual(['add standard']);
});

it('a waiting caller gets no pending answer while its own check runs', async () => {
  jest.useFakeTimers();
  const { single, dns, live } = verifyScene();
  const call = single('ada@example.com', { pendingAfterMs: null });
  await jest.advanceTimersByTimeAsync(5000);
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
  await jest.advanceTimersByTimeAsync(2000);
  live.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE, false) });
  expect(resultOf(await call)).toMatchObject({ reason: 'no_mx' });
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('a caller that disconnects', () => {
  const found: CheckOutcome = { kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) };

  it.each([{ pendingAfterMs: null }, { pendingAfterMs: null, async: true }, { pendingAfterMs: 500 }])(
    'before a probe of its call has begun is asked for no more, and not paid: %o',
    async (options) => {
      const { single, dns, happened } = verifyScene({ isGone: true });
      dns.resolve(found);
      const { probed, waiting } = await single('ada@example.com', options);
      expect([probed, waiting]).toEqual([undefined, undefined]);
      expect(happened).toEqual(['reserve 1', 'dns for ada@example.com within 8 s']);
    },
  );

  it('later pays for the verdict if a mail host was asked, and not otherwise', async () => {
    const of = async (probe: ProbeFacts): Promise<boolean | undefined> => {
      const { single, dns, live } = verifyScene();
      dns.resolve(found);
      const check = checkOf('ada@example.com', 'standard', { ...FOUND, probe }, false);
      live.resolve({ kind: 'checked', check });
      return (await single('ada@example.com', { pendingAfterMs: null })).probed;
    };
    expect(await of(probeFacts())).toBe(true);
    expect(await of(probeFacts({ stage: 'greeting', ending: 'timeout', class: null }))).toBe(true);
    expect(await of(probeFacts({ stage: 'none', ending: 'backed_off', class: null }))).toBe(false);
  });

  it.each<[boolean | null, string[]]>([
    [true, ['queue in 0 s', 'settle row']],
    // The charge may yet commit, with the answer.
    [null, ['queue in 0 s', 'settle row']],
    [false, ['drop row']],
  ])('has its pending probe queued or dropped when it is paid: %s', async (paid, then) => {
    const { single, dns, happened } = verifyScene();
    dns.resolve(found);
    const response = await single('ada@example.com', { async: true, mode: 'enhanced' });
    expect(response.waiting).toEqual([{ waitsOn: 'row', part: '0', credits: 3 }]);
    happened.length = 0;
    await response.after?.(paid);
    expect(happened).toEqual(then);
  });

  it('later pays for a pending answer', async () => {
    jest.useFakeTimers();
    const { single, dns, live, service } = verifyScene();
    dns.resolve(found);
    const call = single('ada@example.com');
    await jest.advanceTimersByTimeAsync(500);
    expect(await call).toMatchObject({ probed: true, waiting: [{ waitsOn: 'row' }] });
    live.resolve({ kind: 'unavailable', why: 'over' });
    await service.beforeApplicationShutdown();
    jest.useRealTimers();
  });
});
