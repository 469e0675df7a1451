import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'react-router';

const PERIODS = ['7', '30', '90'] as const;

/** 7, 30 or 90 days, kept in the address, so that it can be passed on. */
export function usePeriod(): [number, (days: string) => void] {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('days');
  const days = Number(PERIODS.find((one) => one === asked) ?? '30');
  const set = (value: string) =>
    setSearch(
      (now) => {
        now.set('days', value);
        return now;
      },
      { replace: true },
    );
  return [days, set];
}

export function PeriodChooser({ days, onChange }: { days: number; onChange: (days: string) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      value={String(days)}
      onChange={onChange}
      data={PERIODS.map((value) => ({ value, label: `${value} days` }))}
    />
  );
}
