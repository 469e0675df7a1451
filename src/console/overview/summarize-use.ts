import type { LedgerEndpoint } from '../../billing/statement/ledger-endpoint.js';
import type { LedgerSum } from '../../billing/statement/ledger-sums.repository.js';
import type { UsageOfDay, VerdictCounts } from '../../billing/usage/usage-counts.repository.js';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
import { groupBy } from '../../platform/collections/group-by.js';
import { zeros } from '../../platform/collections/zeros.js';
import type { Overview } from './overview.response.js';

const DAY_MS = 86_400_000;

interface Use {
  addresses: number;
  credits: number;
  freeVerifies: number;
}

export interface UseSources {
  readonly ledger: readonly LedgerSum[];
  readonly verdicts: readonly UsageOfDay[];
  /** Names by id. */
  readonly keys: ReadonlyMap<string, string | null>;
  readonly today: Date;
  readonly days: number;
}

/** Adds up what the ledger and the counted verdicts say of some days. Grants are no use. */
export function summarizeUse(sources: UseSources): Pick<Overview, 'days' | 'totals' | 'by_key' | 'by_endpoint'> {
  const { ledger, verdicts, keys, today, days } = sources;
  const use = ledger.filter(({ kind }) => kind !== 'grant');
  const byDay = sumsBy(use, ({ day }) => day);
  const verdictsByDay = groupBy(verdicts, ({ day }) => day);
  const all = total(use);
  return {
    days: daysUntil(today, days).map((day) => ({
      day,
      verdicts: addVerdicts(verdictsByDay.get(day) ?? []),
      credits_used: byDay.get(day)?.credits ?? 0,
      free_verifies_used: byDay.get(day)?.freeVerifies ?? 0,
      addresses: byDay.get(day)?.addresses ?? 0,
    })),
    totals: {
      addresses: all.addresses,
      credits_used: all.credits,
      free_verifies_used: all.freeVerifies,
      refunded_credits: use.reduce((sum, { kind, credits }) => sum + (kind === 'refund' ? credits : 0), 0),
      deliverable_share: shareOf('valid', addVerdicts(verdicts)),
    },
    by_key: ranked(sumsBy(use, ({ keyId }) => keyId)).map(([key_id, { addresses, credits }]) => ({
      key_id,
      name: (key_id !== null && keys.get(key_id)) || null,
      addresses,
      credits,
    })),
    by_endpoint: ranked(sumsBy<LedgerEndpoint>(use, ({ endpoint }) => endpoint)).map(
      ([endpoint, { addresses, credits }]) => ({ endpoint, addresses, credits }),
    ),
  };
}

function sumsBy<K>(sums: readonly LedgerSum[], keyOf: (sum: LedgerSum) => K): Map<K, Use> {
  return new Map([...groupBy(sums, keyOf)].map(([key, some]) => [key, total(some)]));
}

/** Charges are negative in the ledger, and refunds positive. */
function total(sums: readonly LedgerSum[]): Use {
  const use = { addresses: 0, credits: 0, freeVerifies: 0 };
  for (const { kind, addresses, credits, freeVerifies } of sums) {
    use.addresses += kind === 'refund' ? -addresses : addresses;
    use.credits -= credits;
    use.freeVerifies -= freeVerifies;
  }
  return use;
}

function ranked<K>(uses: ReadonlyMap<K, Use>): [K, Use][] {
  return [...uses].toSorted(([, a], [, b]) => b.addresses - a.addresses);
}

function addVerdicts(counts: readonly { readonly verdicts: VerdictCounts }[]): VerdictCounts {
  const sum = zeros(RESULTS);
  for (const { verdicts } of counts) for (const result of RESULTS) sum[result] += verdicts[result];
  return sum;
}

function shareOf(result: Result, verdicts: VerdictCounts): number | null {
  const all = RESULTS.reduce((sum, each) => sum + verdicts[each], 0);
  return all === 0 ? null : verdicts[result] / all;
}

/** The last days, oldest first, such as `2026-11-28`. */
export function daysUntil(today: Date, days: number): string[] {
  return Array.from({ length: days }, (_, i) =>
    new Date(today.getTime() - (days - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}
