import { Logger } from '@nestjs/common';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { UsageCounter } from './usage-counter.js';
import type { UsageCount } from './usage-counts.repository.js';

const ADA = { accountId: 'acme', keyId: 'ada' };
const BOB = { accountId: 'acme', keyId: 'bob' };
const counts = (more: Partial<UsageCount['verdicts']>) => ({
  valid: 0,
  invalid: 0,
  catch_all: 0,
  disposable: 0,
  role: 0,
  unknown: 0,
  ...more,
});

function setUp(fails: () => boolean = () => false, failure = new Error('away')) {
  const added: UsageCount[][] = [];
  const add = async (rows: readonly UsageCount[]): Promise<void> => {
    if (fails()) throw failure;
    added.push([...rows]);
  };
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  return { counter: new UsageCounter({ add }), added };
}
afterEach(() => jest.restoreAllMocks());

describe('UsageCounter', () => {
  it('adds up what one key was told at one endpoint, and writes it once', async () => {
    const { counter, added } = setUp();
    counter.count(ADA, 'single', 'valid');
    counter.count(ADA, 'single', 'valid');
    counter.count(ADA, 'job', 'unknown');
    counter.count(BOB, 'batch', 'role');
    await counter.flush();
    await counter.flush();
    expect(added).toEqual([
      [
        { ...ADA, endpoint: 'single', verdicts: counts({ valid: 2 }) },
        { ...ADA, endpoint: 'job', verdicts: counts({ unknown: 1 }) },
        { ...BOB, endpoint: 'batch', verdicts: counts({ role: 1 }) },
      ],
    ]);
  });

  it('keeps what the database did not take, and adds what came meanwhile', async () => {
    let away = true;
    const { counter, added } = setUp(() => away);
    counter.count(ADA, 'single', 'valid');
    await counter.flush();
    counter.count(ADA, 'single', 'invalid');
    away = false;
    await counter.flush();
    expect(added).toEqual([[{ ...ADA, endpoint: 'single', verdicts: counts({ valid: 1, invalid: 1 }) }]]);
  });

  it('loses what the database may have taken, rather than count it twice', async () => {
    let isLost = true;
    const { counter, added } = setUp(() => isLost, new CommitUnknown(new Error('read ECONNRESET')));
    for (let i = 0; i < 501; i++) counter.count({ accountId: 'acme', keyId: `k${i}` }, 'single', 'valid');
    await counter.flush();
    isLost = false;
    await counter.flush();
    expect(added).toMatchObject([[{ keyId: 'k500' }]]);
  });

  it('writes many keys in several statements, and counts no more keys than it has room for', async () => {
    const { counter, added } = setUp();
    for (let i = 0; i < 20_050; i++) counter.count({ accountId: 'acme', keyId: `k${i}` }, 'single', 'valid');
    await counter.flush();
    expect(added.map(({ length }) => length)).toEqual(Array.from({ length: 40 }, () => 500));
    counter.count({ accountId: 'acme', keyId: 'k20049' }, 'single', 'valid');
    await counter.flush();
    expect(added.at(-1)).toHaveLength(1);
  });

  it('writes what is left when the process stops', async () => {
    const { counter, added } = setUp();
    counter.onApplicationBootstrap();
    counter.count(ADA, 'single', 'valid');
    await counter.beforeApplicationShutdown();
    expect(added).toHaveLength(1);
  });
});
