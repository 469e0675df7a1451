import { Injectable } from '@nestjs/common';
import { AccountService } from '../../auth/account.service.js';
import { ApiKeyRepository } from '../../auth/api-key.repository.js';
import { parseDisplayName } from '../../auth/display-name.js';
import { figuresToJson } from '../../auth/plan-figures.js';
import { PlanRepository } from '../../auth/plan.repository.js';
import { shownCredits } from '../../billing/funds.js';
import { grantReference } from '../../billing/grant-reference.js';
import { FundsRepository } from '../../billing/holds/funds.repository.js';
import { LedgerRepository } from '../../billing/ledger/ledger.repository.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { TeamService } from '../team/team.service.js';
import { AdminAccountsRepository } from './admin-accounts.repository.js';
import type { CreateAccountRequest, FindAccountsRequest, GrantCreditsRequest } from './admin.request.js';
import type { AdminAccountDetail, AdminAccountPage, PlanList } from './admin.response.js';

const PAGE = 50;

/** What operators do with accounts, by the services of the operator command. */
@Injectable()
export class AdminAccountsService {
  constructor(
    private readonly rows: AdminAccountsRepository,
    private readonly accounts: AccountService,
    private readonly plans: PlanRepository,
    private readonly keys: ApiKeyRepository,
    private readonly funds: FundsRepository,
    private readonly ledger: LedgerRepository,
    private readonly team: TeamService,
  ) {}

  async find({ query, cursor }: FindAccountsRequest): Promise<AdminAccountPage> {
    const wanted = query?.trim() || null;
    const found = await this.rows.search(wanted, cursor?.toLowerCase() ?? null, PAGE + 1);
    const accounts = found.slice(0, PAGE);
    return { accounts, next: found.length > PAGE ? accounts.at(-1)!.id : null };
  }

  /** @throws AppError `not_found` */
  async read(id: string): Promise<AdminAccountDetail> {
    const account = await this.rows.find(id);
    if (account === null) throw noSuch('account');
    const [members, keys, funds] = await Promise.all([this.team.list(id), this.keys.listOf(id), this.funds.read([id])]);
    return { ...account, members, keys: keys.length, balance: shownCredits(funds.get(id)!) };
  }

  async create({ name, plan, credits }: CreateAccountRequest, actor: Actor): Promise<AdminAccountDetail> {
    const first = credits === 0 ? undefined : this.ledger.firstCredits(credits, actor);
    const outcome = await this.accounts.create(parseDisplayName(name)!, plan, actor, first);
    if (outcome.kind === 'unknown_plan') throw unknownPlan(outcome.plans);
    return this.read(outcome.account.id);
  }

  async setPlan(id: string, plan: string, actor: Actor): Promise<AdminAccountDetail> {
    const outcome = await this.accounts.setPlan(id, plan, actor);
    if (outcome.kind === 'unknown_account') throw noSuch('account');
    if (outcome.kind === 'unknown_plan') throw unknownPlan(outcome.plans);
    return this.read(id);
  }

  async setSuspended(id: string, suspended: boolean, actor: Actor): Promise<AdminAccountDetail> {
    if ((await this.accounts.setSuspended(id, suspended, actor)) === null) throw noSuch('account');
    return this.read(id);
  }

  /** The same reference twice grants once. @throws AppError `not_found`, `conflict` */
  async grant(
    id: string,
    { credits, kind, reference }: GrantCreditsRequest,
    actor: Actor,
  ): Promise<AdminAccountDetail> {
    const grant = { accountId: id, credits, kind, reference: grantReference(reference) };
    const outcome = await this.ledger.grant(grant, actor);
    if (outcome.kind === 'unknown_account') throw noSuch('account');
    if (outcome.kind === 'reference_used') {
      throw new AppError('conflict', 'This reference was used for another grant; nothing was granted.');
    }
    return this.read(id);
  }

  async listPlans(): Promise<PlanList> {
    const plans = await this.plans.list();
    return { plans: plans.map((plan) => ({ name: plan.name, figures: figuresToJson(plan) })) };
  }
}

function unknownPlan(plans: readonly string[]): AppError {
  return new AppError('validation_failed', `plan must be one of ${plans.join(', ')}`);
}
