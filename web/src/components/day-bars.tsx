import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { DayRow, DaySeries } from './day-series';
import { formatCompact, formatDay, formatNumber } from './format';

export default function DayBars({
  rows,
  series,
  height,
}: {
  rows: readonly DayRow[];
  series: readonly DaySeries[];
  height: number;
}) {
  return (
    <BarChart
      h={height}
      data={rows.map((row) => ({ ...row, shown: formatDay(row.day) }))}
      dataKey="shown"
      type="stacked"
      series={series.map(({ name, label, color }) => ({ name, label, color }))}
      valueFormatter={formatNumber}
      gridAxis="x"
      tickLine="none"
      maxBarWidth={36}
      yAxisProps={{ width: 44, tickFormatter: formatCompact, allowDecimals: false }}
      xAxisProps={{ minTickGap: 16 }}
      barProps={{ isAnimationActive: false, stroke: 'var(--mv-surface)', strokeWidth: 1 }}
      barChartProps={{ accessibilityLayer: false }}
      tooltipAnimationDuration={0}
    />
  );
}
