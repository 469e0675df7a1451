import { Group, Stack } from '@mantine/core';
import { formatNumber, formatShare } from '../components/format';
import { VERDICTS, VerdictBadge, verdictLook } from '../components/verdict';
import classes from './verdict-donut.module.css';

const RADIUS = 40;
const ROUND = 2 * Math.PI * RADIUS;
/** Between two arcs, so that they are told apart without colours. */
const GAP = 1.2;

/** The mix of verdicts as a ring, with the numbers beside it. */
export function VerdictDonut({ verdicts }: { verdicts: Readonly<Record<string, number>> }) {
  const parts = VERDICTS.map((verdict) => ({ verdict, count: verdicts[verdict] ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  /** How far round the ring the part begins. */
  const startOf = (index: number): number =>
    (parts.slice(0, index).reduce((sum, { count }) => sum + count, 0) / total) * ROUND;
  return (
    <Group gap="lg" justify="center">
      <svg viewBox="0 0 100 100" width={150} height={150} aria-hidden="true">
        <circle className={classes.empty} cx="50" cy="50" r={RADIUS} />
        {parts.map(({ verdict, count }, index) => {
          const length = (count / total) * ROUND;
          const drawn = Math.max(parts.length > 1 ? length - GAP : length, 0.6);
          return (
            <circle
              key={verdict}
              className={classes.arc}
              cx="50"
              cy="50"
              r={RADIUS}
              stroke={verdictLook(verdict).color}
              strokeDasharray={`${drawn} ${ROUND - drawn}`}
              strokeDashoffset={-startOf(index)}
              transform="rotate(-90 50 50)"
            />
          );
        })}
        <text className={classes.share} x="50" y="50">
          {formatShare(total === 0 ? null : (verdicts['valid'] ?? 0) / total)}
        </text>
        <text className={classes.word} x="50" y="63">
          valid
        </text>
      </svg>
      <Stack component="ul" gap={6} className={classes.legend} aria-label="Verdicts">
        {parts.map(({ verdict, count }) => (
          <li key={verdict}>
            <VerdictBadge result={verdict} />
            <span className="mv-number">{formatNumber(count)}</span>
          </li>
        ))}
      </Stack>
    </Group>
  );
}
