import type { AuditPoint, AuditPointsRepository } from './audit-points.repository.js';
import type { LedgerAuditMetrics } from './audit-metrics.js';
import type { LedgerAuditRepository } from './ledger-audit.repository.js';
import type { LedgerAudit, LedgerAuditsRepository } from './ledger-audits.repository.js';
import { LedgerAuditTask } from './ledger-audit.task.js';
import { LedgerClosingTask } from './ledger-closing.task.js';

const pointOf = (account: string): AuditPoint => {
  return { account, fromId: '0', throughId: '1', purchased: 0, gifted: 0, month: 202611, freeVerifiesUsed: 0 };
};
const never = new AbortController().signal;
const stopped = AbortSignal.abort();

describe('closing months', () => {
  const closingsOf = (accounts: string[]) => {
    const closed: string[] = [];
    return {
      closed,
      lastMonth: async () => 202610,
      unclosed: async (_: number, limit: number) => accounts.filter((id) => !closed.includes(id)).slice(0, limit),
      close: async (id: string, month: number) => void closed.push(month === 202610 ? id : 'wrong month'),
    };
  };

  it('closes the last month of every account, however many there are', async () => {
    const accounts = Array.from({ length: 450 }, (_, i) => `a${i}`);
    const closings = closingsOf(accounts);
    await new LedgerClosingTask(closings).run(never);
    expect(closings.closed).toEqual(accounts);
  });

  it('leaves the rest to the next run when the process stops', async () => {
    const closings = closingsOf(['a', 'b']);
    await new LedgerClosingTask(closings).run(stopped);
    expect(closings.closed).toEqual([]);
  });
});

describe('the daily audit', () => {
  const ids = Array.from({ length: 450 }, (_, i) => `a${String(i).padStart(3, '0')}`);
  const auditing = (wrong: readonly string[]) => {
    const told = { mismatches: 0, audits: 0, starts: new Set<string>() };
    const recorded: Omit<LedgerAudit, 'endedAt'>[] = [];
    const kept: string[] = [];
    const ledger: Pick<LedgerAuditRepository, 'page'> = {
      page: async (which, start) => {
        told.starts.add(start);
        if (!('after' in which)) throw new Error('one account was not asked for');
        const { after, limit } = which;
        const accounts = ids.filter((id) => after === null || id > after).slice(0, limit);
        const mismatches = accounts
          .filter((id) => wrong.includes(id))
          .map((account) => ({ account, figure: 'purchased', kept: 1, ledger: 2 }));
        return { accounts, mismatches, points: accounts.map((account) => pointOf(account)) };
      },
    };
    const metrics: Pick<LedgerAuditMetrics, 'countMismatches' | 'noteAudit'> = {
      countMismatches: (count) => void (told.mismatches += count),
      noteAudit: () => void told.audits++,
    };
    const audits: Pick<LedgerAuditsRepository, 'add'> = { add: async (audit) => void recorded.push(audit) };
    const points: Pick<AuditPointsRepository, 'keep'> = {
      keep: async (reached) => void kept.push(...reached.map(({ account }) => account)),
    };
    const task = new LedgerAuditTask(
      ledger as LedgerAuditRepository,
      metrics as LedgerAuditMetrics,
      audits as LedgerAuditsRepository,
      points as AuditPointsRepository,
    );
    return { told, recorded, kept, task };
  };

  it('audits every account, reports differences, and keeps how far it has read', async () => {
    const { told, recorded, kept, task } = auditing(['a001', 'a199', 'a200', 'a449']);
    await task.run(never);
    expect(told).toEqual({ mismatches: 4, audits: 1, starts: new Set(['last audit']) });
    expect(recorded).toEqual([{ accounts: 450, mismatches: 4 }]);
    expect(kept).toEqual(ids);
  });

  it('counts as done without a difference, but not if the process stops', async () => {
    const { told, recorded, task } = auditing([]);
    await task.run(stopped);
    expect(told).toMatchObject({ mismatches: 0, audits: 0 });
    expect(recorded).toEqual([]);
    await task.run(never);
    expect(told).toMatchObject({ mismatches: 0, audits: 1 });
  });
});
