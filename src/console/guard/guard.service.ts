import { Injectable } from '@nestjs/common';
import type { Plan } from '../../auth/caller.js';
import { parseDisplayName } from '../../auth/display-name.js';
import { ExpiringMap } from '../../platform/caching/expiring-map.js';
import { DecisionQuota } from '../../billing/decisions/decision-quota.js';
import { FundsRepository } from '../../billing/holds/funds.repository.js';
import { newPropertyKey } from '../../guard/properties/property-key.js';
import type { PropertyEntity } from '../../guard/properties/property.entity.js';
import { PropertiesRepository } from '../../guard/properties/properties.repository.js';
import { totalsOf, type EventTotals } from '../../guard/report/guard-report.js';
import { GuardReportRepository } from '../../guard/report/guard-report.repository.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { daysUntil } from '../overview/summarize-use.js';
import { quotaUse } from '../overview/quota-use.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { roomFor } from '../account-room.repository.js';
import type { GuardPage, GuardTotals, Property, PropertyList } from './guard.response.js';

const TOP_DOMAINS = 20;
/** Counting many events takes seconds: the counts are as old as this at most. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1000;

type Counts = Omit<GuardPage, 'quota'>;

interface DaysScope {
  readonly accountId: string;
  readonly days: number;
  readonly propertyId: string | null;
}

/** What guards in forms reported, and the properties that they report for. */
@Injectable()
export class GuardPageService {
  private readonly kept = new ExpiringMap<Promise<Counts>>(MAX_KEPT);

  constructor(
    private readonly properties: PropertiesRepository,
    private readonly events: GuardReportRepository,
    private readonly decisions: DecisionQuota,
    private readonly funds: FundsRepository,
  ) {}

  /** @throws AppError `not_found` for a property that is not the account's */
  async read(accountId: string, plan: Plan, days: number, property: string | null): Promise<GuardPage> {
    const propertyId = property && ((await this.properties.find(accountId, [property])).get(property) ?? null);
    if (property !== null && propertyId === null) throw noSuch('property');
    const { month } = (await this.funds.read([accountId])).get(accountId)!;
    const [used, counts] = await Promise.all([
      this.decisions.used(accountId, month),
      this.counts({ accountId, days, propertyId }),
    ]);
    return { quota: quotaUse(plan.guardDecisionsPerMonth, used, month), ...counts };
  }

  async list(accountId: string): Promise<PropertyList> {
    return { properties: (await this.properties.list(accountId)).map(toProperty) };
  }

  /** @throws AppError `quota_exceeded` */
  async create(accountId: string, name: string, actor: Actor): Promise<Property> {
    const key = newPropertyKey();
    const wanted = { key, name: parseDisplayName(name)! };
    if (!(await this.properties.insert(accountId, wanted, actor, roomFor('property', accountId)))) {
      throw noSuch('account');
    }
    const made = (await this.properties.list(accountId)).find((property) => property.key === key);
    if (made === undefined) throw noSuch('property');
    return toProperty(made);
  }

  /** Those who ask at the same time share one reading. */
  private counts(scope: DaysScope): Promise<Counts> {
    const key = JSON.stringify(scope);
    const now = performance.now();
    const kept = this.kept.get(key, now);
    if (kept !== undefined) return kept;
    const counting = this.count(scope);
    this.kept.set(key, counting, now + KEPT_MS);
    // A failure is not kept.
    counting.catch(() => this.kept.set(key, counting, now));
    return counting;
  }

  private async count({ accountId, days, propertyId }: DaysScope): Promise<Counts> {
    const scope = { accountId, sandbox: false, propertyId, time: { days } };
    const [counts, domains] = await Promise.all([
      this.events.countsByDay(scope),
      this.events.topDomains(scope, TOP_DOMAINS),
    ]);
    return {
      days: daysUntil(new Date(), days).map((day) => ({
        day,
        ...toTotals(totalsOf(counts.filter((count) => count.day === day))),
      })),
      totals: toTotals(totalsOf(counts)),
      top_domains: domains.map(({ domain, events }) => ({ domain, count: events })),
    };
  }
}

function toTotals({ events, verdict, action, source, degraded }: EventTotals): GuardTotals {
  return { total: events, verdicts: verdict, actions: action, sources: source, degraded };
}

function toProperty({ id, key, name, createdAt }: PropertyEntity): Property {
  return { id, property_key: key, name, created_at: createdAt.toISOString() };
}
