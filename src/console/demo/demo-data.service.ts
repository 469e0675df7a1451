import type { KeyManagementService } from '../../auth/key-management.service.js';
import type { UsageCountsRepository } from '../../billing/usage/usage-counts.repository.js';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
import type { GuardEventsRepository } from '../../guard/events/guard-events.repository.js';
import type { GuardEventRequest } from '../../guard/events/guard-event.request.js';
import type { PropertiesRepository } from '../../guard/properties/properties.repository.js';
import { newPropertyKey } from '../../guard/properties/property-key.js';
import { zeros } from '../../platform/collections/zeros.js';
import { newId } from '../../platform/ids/uuid.js';
import { readListEntry } from '../../verify/batch-entry.js';
import { sandboxEntry } from '../../verify/sandbox/sandbox.js';
import type { DemoDataRepository, DemoList } from './demo-data.repository.js';
import { seededRandom } from '../../platform/collections/seeded-random.js';
import { DEMO_DAYS, demoCalls, demoVerdicts } from './demo-history.js';

export interface DemoDataCounts {
  readonly calls: number;
  readonly lists: number;
  readonly events: number;
}

const KEYS = ['Shop (demo)', 'CRM (demo)'];
const PROPERTY = 'Shop (demo)';
const LISTS = [
  { name: 'Newsletter (demo)', entries: 480, hoursAgo: 30 },
  { name: 'Trade fair leads (demo)', entries: 140, hoursAgo: 5 },
] as const;
const DOMAINS = ['example.com', 'example.org', 'example.net', 'mail.example', 'shop.example', 'temp.example'];
const SEED = 19;

/** A month of made-up history for an account, so that a demo has something to show. Everything is named demo. */
export class DemoDataService {
  /** @param events writes events of some days ago */
  constructor(
    private readonly demo: DemoDataRepository,
    private readonly keys: KeyManagementService,
    private readonly usage: UsageCountsRepository,
    private readonly properties: PropertiesRepository,
    private readonly events: (daysAgo: number) => GuardEventsRepository,
  ) {}

  /** Null: the account has its demo data already. */
  async create(accountId: string, actor: string): Promise<DemoDataCounts | null> {
    if (await this.demo.exists(accountId)) return null;
    const random = seededRandom(SEED);
    const keyIds = await this.makeKeys(accountId, actor);
    const calls = demoCalls(new Date(), random);
    if (!(await this.demo.ledger(accountId, calls, keyIds, actor))) return null;
    for (const { daysAgo, endpoint, key, verdicts } of demoVerdicts(calls, random)) {
      await this.usage.add([{ accountId, keyId: keyIds[key]!, endpoint, verdicts }], daysAgo);
    }
    for (const made of LISTS) {
      const list = toList(made, keyIds[1]!, random);
      await this.demo.list(accountId, list);
      await this.usage.add([{ accountId, keyId: list.keyId, endpoint: 'job', verdicts: verdictsOf(list) }]);
    }
    return { calls: calls.length, lists: LISTS.length, events: await this.makeEvents(accountId, actor, random) };
  }

  /** Nobody ever sees these keys. */
  private async makeKeys(accountId: string, actor: string): Promise<string[]> {
    const ids: string[] = [];
    for (const name of KEYS) {
      const issued = await this.keys.create(accountId, 'live', name, actor);
      if (issued === null) throw new Error('the account is gone');
      ids.push(issued.id);
    }
    return ids;
  }

  private async makeEvents(accountId: string, actor: string, random: () => number): Promise<number> {
    const { properties, events } = this;
    const key = newPropertyKey();
    await properties.insert(accountId, { key, name: PROPERTY }, actor);
    const propertyId = (await properties.find(accountId, [key])).get(key) ?? null;
    let written = 0;
    for (let daysAgo = DEMO_DAYS - 1; daysAgo >= 0; daysAgo--) {
      const some = Array.from({ length: 15 + Math.floor(random() * 25) }, () => ({
        event: demoEvent(random),
        propertyId,
      }));
      await events(daysAgo).insert({ accountId, sandbox: false }, some);
      written += some.length;
    }
    return written;
  }
}

function demoEvent(random: () => number): GuardEventRequest {
  const verdict = random() < 0.8 ? 'valid' : RESULTS[Math.floor(random() * RESULTS.length)]!;
  const action = verdict === 'valid' ? 'allow' : verdict === 'invalid' || verdict === 'disposable' ? 'deny' : 'review';
  return {
    domain: DOMAINS[Math.floor(random() * random() * DOMAINS.length)]!,
    verdict,
    action,
    source: random() < 0.7 ? 'remote' : 'local',
    degraded: random() < 0.02,
    reasons: [],
    integration: 'demo-data',
    lib_version: null,
    spec_version: null,
    property_key: null,
  };
}

function verdictsOf({ entries }: DemoList): Readonly<Record<Result, number>> {
  const verdicts = zeros(RESULTS);
  for (const { result } of entries) verdicts[(JSON.parse(result) as { result: Result }).result]++;
  return verdicts;
}

function toList({ name, entries, hoursAgo }: (typeof LISTS)[number], keyId: string, random: () => number): DemoList {
  const sent = Array.from({ length: entries }, (_, i) => {
    const domain = DOMAINS[Math.floor(random() * DOMAINS.length)]!;
    return `${i % 17 === 0 ? 'info' : 'person'}-${i}@${domain}`;
  });
  return {
    id: newId(),
    jobId: newId(),
    keyId,
    name,
    hoursAgo,
    entries: sent.map((email) => ({
      sent: email,
      result: JSON.stringify(sandboxEntry(readListEntry(email), 'standard')),
    })),
  };
}
