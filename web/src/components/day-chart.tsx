import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { DataTable, type Column } from './data-table';
import { formatDay, formatNumber } from './format';
import type { DayRow, DaySeries } from './day-series';
import { Icon } from './icons';

/** The library of charts is the largest part of the page: figures are there before it. */
const DayBars = lazy(() => import('./day-bars'));

/** Counts a day, stacked; with the same as a table for those who read rather than look. */
export function DayChart({
  label,
  summary,
  rows,
  series,
  csvName,
  height = 280,
}: {
  label: string;
  /** What the chart shows, in a sentence. */
  summary: string;
  rows: readonly DayRow[];
  series: readonly DaySeries[];
  csvName: string;
  height?: number;
}) {
  const [asTable, setAsTable] = useState(false);
  const columns: Column<DayRow>[] = [
    { key: 'day', header: 'Day', value: ({ day }) => day, render: ({ day }) => formatDay(day) },
    ...series.map(({ name, label: header }): Column<DayRow> => ({
      key: name,
      header,
      align: 'right',
      value: (row) => row[name] ?? 0,
      render: (row) => formatNumber(Number(row[name] ?? 0)),
    })),
  ];
  return (
    <>
      <Group justify="space-between" px="lg" gap="sm" mb="md">
        <Group gap="md" style={{ rowGap: 4 }}>
          {series.map(({ name, label: word, color, icon }) => (
            <Group key={name} gap={6} wrap="nowrap">
              {icon ? (
                <Icon name={icon} color={color} size={15} />
              ) : (
                <Box className="mv-drawn" w={10} h={10} bg={color} style={{ borderRadius: 3 }} />
              )}
              <Text size="xs">{word}</Text>
            </Group>
          ))}
        </Group>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<Icon name={asTable ? 'overview' : 'lists'} size={14} />}
          onClick={() => setAsTable((now) => !now)}
        >
          {asTable ? 'As a chart' : 'As a table'}
        </Button>
      </Group>
      {asTable ? (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowKey={({ day }) => day}
          csvName={csvName}
          searchable={false}
          initialSort={{ key: 'day', descending: true }}
        />
      ) : (
        <Box component="figure" aria-label={summary} mx={0} my={0} px="lg" pb="lg">
          {/* What it shows stands in the summary, and in the table. */}
          <Box aria-hidden="true">
            <Suspense fallback={<Skeleton height={height} />}>
              <DayBars rows={rows} series={series} height={height} />
            </Suspense>
          </Box>
        </Box>
      )}
    </>
  );
}
