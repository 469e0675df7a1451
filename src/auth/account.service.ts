import { Injectable } from '@nestjs/common';
import { newId } from '../platform/ids/uuid.js';
import { AccountRepository, type Account, type WithNewAccount } from './account.repository.js';
import type { Actor } from '../platform/audit/audit-log.repository.js';

export type AccountCreation =
  | { readonly kind: 'created'; readonly account: Account }
  | { readonly kind: 'unknown_plan'; readonly plans: readonly string[] };

export type PlanChange =
  | { readonly kind: 'changed'; readonly account: Account }
  | { readonly kind: 'unknown_account' }
  | { readonly kind: 'unknown_plan'; readonly plans: readonly string[] };

/** The operator's use cases for accounts. `actor` is the operator, for the audit log. */
@Injectable()
export class AccountService {
  constructor(private readonly accounts: AccountRepository) {}

  /** @param also done in the transaction that makes the account */
  async create(name: string, plan: string, actor: Actor, also?: WithNewAccount): Promise<AccountCreation> {
    const id = newId();
    if (!(await this.accounts.insert({ id, name, plan }, actor, also))) return this.unknownPlan();
    return { kind: 'created', account: await this.existing(id) };
  }

  async setPlan(id: string, plan: string, actor: Actor): Promise<PlanChange> {
    const outcome = await this.accounts.setPlan(id, plan, actor);
    if (outcome === 'unknown_plan') return this.unknownPlan();
    if (outcome === 'unknown_account') return { kind: outcome };
    return { kind: 'changed', account: await this.existing(id) };
  }

  /** Takes all its keys out of force within 5 seconds, or puts them back. Null when there is no such account. */
  async setSuspended(id: string, suspended: boolean, actor: Actor): Promise<Account | null> {
    return (await this.accounts.setSuspended(id, suspended, actor)) ? this.existing(id) : null;
  }

  private async unknownPlan(): Promise<{ kind: 'unknown_plan'; plans: string[] }> {
    return { kind: 'unknown_plan', plans: await this.accounts.planNames() };
  }

  /** Reads an account that must exist. */
  private async existing(id: string): Promise<Account> {
    const account = await this.accounts.findById(id);
    if (account === null) throw new Error(`account ${id} has vanished`);
    return account;
  }
}
