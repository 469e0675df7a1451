import type { AccountRepository } from '../account.repository.js';
import { SUSPENDED_WITHIN_MS } from '../caller-directory.js';
import type { AccountData } from './account-data.repository.js';
import type { AccountDeletionRepository } from './account-deletion.repository.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';

export interface AccountDeletionParts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'setSuspended'>;
  readonly deletion: Pick<
    AccountDeletionRepository,
    'suspendedForMs' | 'keys' | 'delete' | 'wasDeleted' | 'forgetActs'
  >;
  /** The data of every feature, in lock order for the transaction of the deletion. */
  readonly data: readonly AccountData[];
  /** @param forCalls after this time every call with one of the account's keys has ended */
  readonly wait: (forCalls: number) => Promise<void>;
}

/** The data that a deletion would remove. */
export interface AccountHoldings {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Longer than calls run. One whose body comes slowly may run on, and adds nothing that would stay. */
const CALLS_END_WITHIN_MS = 10_000;

/**
 * Erases an account and all its data (decisions 4.5). The account stays, suspended and with less and less data, until one
 * transaction deletes its row. The data that is left then belongs to no account. An interrupted deletion starts over.
 */
export class AccountDeletionService {
  constructor(private readonly parts: AccountDeletionParts) {}

  /** Returns null if there is no such account. */
  async holdings(id: string): Promise<AccountHoldings | null> {
    const { accounts, deletion, data } = this.parts;
    const account = await accounts.findById(id);
    if (account === null) return null;
    const counts: Record<string, number> = { keys: await deletion.keys(id) };
    for (const each of data) Object.assign(counts, await each.count?.(id));
    return { name: account.name, counts };
  }

  /** False when there is no such account, and never was. */
  async delete(id: string, actor: Actor): Promise<boolean> {
    const { accounts, deletion, data } = this.parts;
    if (await accounts.setSuspended(id, true, actor)) {
      await this.waitForCalls(id);
      for (const each of data) await each.erase?.(id);
      await deletion.delete(id, data, actor);
    } else if (!(await deletion.wasDeleted(id))) {
      return false;
    }
    for (const each of data) await each.erase?.(id);
    for (const each of data) await each.eraseAfter?.(id);
    await deletion.forgetActs(id);
    return true;
  }

  /** Running calls end by themselves once no key of the account admits another. */
  private async waitForCalls(id: string): Promise<void> {
    const since = await this.parts.deletion.suspendedForMs(id);
    const leftMs = SUSPENDED_WITHIN_MS + CALLS_END_WITHIN_MS - Math.max(0, since ?? 0);
    if (leftMs > 0) await this.parts.wait(leftMs);
  }
}
