import { Text } from '@mantine/core';
import { formatNumber, formatShare } from '../components/format';
import classes from './bars.module.css';

const MOST = 10;

/** Counts as bars, the largest first. A table to a screen reader. */
export function Bars({
  label,
  rows,
}: {
  label: string;
  rows: readonly { readonly name: string; readonly count: number }[];
}) {
  const sorted = [...rows].sort((a, b) => b.count - a.count);
  const shown = sorted.slice(0, MOST);
  const rest = sorted.slice(MOST).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) shown.push({ name: `${sorted.length - MOST} more`, count: rest });
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const most = shown.reduce((largest, { count }) => Math.max(largest, count), 1);
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing to show.
      </Text>
    );
  }
  return (
    <table className={classes.bars} aria-label={label}>
      <tbody>
        {shown.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} />
            </th>
            <td className="mv-number">{formatNumber(count)}</td>
            <td className="mv-number">{formatShare(count / total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
