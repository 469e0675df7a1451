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
  /** Of every feature. In the transaction of the deletion each takes its locks in this order. */
  readonly data: readonly AccountData[];
  /** @param forCalls so long from now every call has ended that a key of the account was good for */
  readonly wait: (forCalls: number) => Promise<void>;
}

/** What there is to be deleted. */
export interface AccountHoldings {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Longer than a call runs that was let in by then. */
const CALLS_END_WITHIN_MS = 10_000;

/**
 * Erases an account and all its data (decisions 4.5). The account stays, suspended and with less and less data, until one
 * transaction deletes its row. The data that is left then belongs to no account. An interrupted deletion starts over.
 */
export class AccountDeletionService {
  constructor(private readonly parts: AccountDeletionParts) {}

  /** Null when there is no such account. */
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

  /** They end by themselves once no key of the account lets in another. */
  private async waitForCalls(id: string): Promise<void> {
    const since = await this.parts.deletion.suspendedForMs(id);
    const leftMs = SUSPENDED_WITHIN_MS + CALLS_END_WITHIN_MS - Math.max(0, since ?? 0);
    if (leftMs > 0) await this.parts.wait(leftMs);
  }
}
