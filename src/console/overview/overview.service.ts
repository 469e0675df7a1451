import { Injectable } from '@nestjs/common';
import { ApiKeyRepository } from '../../auth/api-key.repository.js';
import type { Plan } from '../../auth/caller.js';
import { DecisionQuota } from '../../billing/decisions/decision-quota.js';
import { shownCredits, type Funds } from '../../billing/funds.js';
import { FundsRepository } from '../../billing/holds/funds.repository.js';
import { LedgerSumsRepository } from '../../billing/statement/ledger-sums.repository.js';
import { UsageCountsRepository } from '../../billing/usage/usage-counts.repository.js';
import type { ConsoleAccount } from '../session/console-caller.js';
import type { Overview } from './overview.response.js';
import { quotaUse } from './quota-use.js';
import { summarizeUse } from './summarize-use.js';

/** What an account has, and what it used in the last days. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly funds: FundsRepository,
    private readonly decisions: DecisionQuota,
    private readonly ledger: LedgerSumsRepository,
    private readonly usage: UsageCountsRepository,
    private readonly keys: ApiKeyRepository,
  ) {}

  async read({ id, name, isSuspended: suspended }: ConsoleAccount, plan: Plan, days: number): Promise<Overview> {
    const [{ funds, decisions }, ledger, verdicts, keys] = await Promise.all([
      this.thisMonth(id),
      this.ledger.ofDays(id, days),
      this.usage.ofDays(id, days),
      this.keys.namesOf(id),
    ]);
    return {
      account: { id, name, plan: plan.name, suspended },
      credits: shownCredits(funds),
      free_verifies: quotaUse(plan.freeVerifiesPerMonth, funds.freeVerifiesUsed, funds.month),
      rate_limit: { per_minute: plan.requestsPerMinute },
      guard: quotaUse(plan.guardDecisionsPerMonth, decisions, funds.month),
      ...summarizeUse({ ledger, verdicts, keys, today: new Date(), days }),
    };
  }

  private async thisMonth(accountId: string): Promise<{ readonly funds: Funds; readonly decisions: number }> {
    const funds = (await this.funds.read([accountId])).get(accountId)!;
    return { funds, decisions: await this.decisions.used(accountId, funds.month) };
  }
}
