import type { Quota } from '../api/types';
import { formatNumber } from './format';
import { Stat } from './stat';
import { When } from './when';

/** What of a month's quota is used, and when it begins anew. */
export function QuotaStat({ label, quota }: { label: string; quota: Quota }) {
  if (quota.limit === null) {
    return <Stat label={label} value="No limit" note={`${formatNumber(quota.used)} used this month`} />;
  }
  return (
    <Stat
      label={label}
      value={formatNumber(quota.remaining ?? Math.max(0, quota.limit - quota.used))}
      share={quota.limit === 0 ? null : quota.used / quota.limit}
      note={
        <>
          {formatNumber(quota.used)} of {formatNumber(quota.limit)} used; new ones{' '}
          <When at={quota.resets_at} as="ago" />
        </>
      }
    />
  );
}
