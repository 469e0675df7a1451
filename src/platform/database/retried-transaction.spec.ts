import type { DataSource, EntityManager } from 'typeorm';
import { isConnectionLost } from './database-errors.js';
import { CommitUnknown, retriedTransaction } from './retried-transaction.js';

const DEADLOCK = Object.assign(new Error('deadlock'), { errno: 1213, code: 'ER_LOCK_DEADLOCK', sqlState: '40001' });
const FENCED = Object.assign(new Error('read-only'), {
  errno: 1290,
  code: 'ER_OPTION_PREVENTS_STATEMENT',
  sqlState: 'HY000',
});
const LOST = Object.assign(new Error('read ECONNRESET'), { fatal: true, code: 'ECONNRESET' });
const FAULTY = Object.assign(new Error('unknown column'), { errno: 1054, code: 'ER_BAD_FIELD_ERROR' });

beforeEach(() => void jest.useFakeTimers({ advanceTimers: 50 }));
afterEach(() => void jest.useRealTimers());

interface Faults {
  readonly statements?: Error[];
  readonly commits?: Error[];
  readonly statementMs?: number;
}

/** A database whose statements and commits fail as they are told, in turn; then they succeed. */
function database({ statements = [], commits = [], statementMs = 0 }: Faults) {
  const log: string[] = [];
  const transaction = {
    queryRunner: { connect: async () => ({ destroy: () => log.push('discarded') }) },
  } as unknown as EntityManager;
  const dataSource = {
    transaction: async (_isolation: string, work: (transaction: EntityManager) => Promise<unknown>) => {
      const result = await work(transaction);
      const fault = commits.shift();
      log.push(fault ? `commit: ${fault.message}` : 'commit');
      if (fault) throw fault;
      return result;
    },
  } as unknown as DataSource;
  const run = () =>
    retriedTransaction(dataSource, async () => {
      const fault = statements.shift();
      jest.advanceTimersByTime(statementMs);
      log.push(fault ? `work: ${fault.message}` : 'work');
      if (fault) throw fault;
      return 'done';
    });
  return { run, log };
}

it('runs again after a conflict, at a statement and at COMMIT', async () => {
  const { run, log } = database({ statements: [DEADLOCK], commits: [DEADLOCK] });
  await expect(run()).resolves.toBe('done');
  expect(log).toEqual(['work: deadlock', 'work', 'commit: deadlock', 'work', 'commit']);
});

it('gives up after eight conflicts', async () => {
  const { run, log } = database({ commits: Array<Error>(20).fill(DEADLOCK) });
  await expect(run()).rejects.toBe(DEADLOCK);
  expect(log.filter((line) => line === 'work')).toHaveLength(8);
});

it.each([LOST, FENCED])(
  'runs again on another connection when the database is lost before COMMIT: %s',
  async (fault) => {
    const { run, log } = database({ statements: [fault] });
    await expect(run()).resolves.toBe('done');
    expect(log).toEqual([`work: ${fault.message}`, 'discarded', 'work', 'commit']);
  },
);

it('runs again where a server refuses COMMIT because it is read-only', async () => {
  const { run, log } = database({ commits: [FENCED] });
  await expect(run()).resolves.toBe('done');
  expect(log).toEqual(['work', 'commit: read-only', 'work', 'commit']);
});

it('does not run again when the connection is lost at COMMIT: the work may be done', async () => {
  const { run, log } = database({ commits: [LOST] });
  const error: unknown = await run().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(CommitUnknown);
  expect(isConnectionLost(error)).toBe(true);
  expect(log).toEqual(['work', 'commit: read ECONNRESET']);
});

it('gives up on a database that stays away', async () => {
  const { run, log } = database({ statements: Array<Error>(20).fill(LOST) });
  await expect(run()).rejects.toBe(LOST);
  expect(log.filter((line) => line.startsWith('work'))).toHaveLength(5);
});

it('gives up on a database that takes three seconds to fail', async () => {
  const { run, log } = database({ statements: Array<Error>(20).fill(LOST), statementMs: 2000 });
  await expect(run()).rejects.toBe(LOST);
  expect(log.filter((line) => line.startsWith('work'))).toHaveLength(2);
});

it('does not run again what is wrong itself', async () => {
  const { run, log } = database({ statements: [FAULTY] });
  await expect(run()).rejects.toBe(FAULTY);
  expect(log).toEqual(['work: unknown column']);
});
