import { endOf, type Month } from '../../billing/month.js';
import type { QuotaUse } from './overview.response.js';

export function quotaUse(limit: number | null, used: number, month: Month): QuotaUse {
  // 0, never negative, after a downgrade.
  const remaining = limit === null ? null : Math.max(0, limit - used);
  return { limit, used, remaining, resets_at: endOf(month).toISOString() };
}
