import { Group, Stack, Text } from '@mantine/core';
import { formatNumber } from '../components/format';
import type { EntryCounts } from './file/list-entries';
import type { FileDescription } from './file/open-list-file';
import classes from './list-preview.module.css';

/* oxlint-disable react/no-array-index-key -- rows and columns of a file have no name but their number */
/** The first rows of a file, with its column of addresses marked, and what is in it. */
export function ListPreview({
  description,
  column,
  counts,
}: {
  description: FileDescription;
  column: number | null;
  counts: EntryCounts | null;
}) {
  const { columns, preview, rows } = description;
  return (
    <Stack gap="sm">
      <div className={classes.scroll} role="region" aria-label="First rows" tabIndex={0}>
        <table className={classes.table}>
          <caption className={classes.caption}>First rows of the file</caption>
          <thead>
            <tr>
              {columns.map(({ name }, index) => (
                <th key={index} scope="col" data-chosen={index === column || undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, index) => (
                  <td key={index} data-chosen={index === column || undefined}>
                    {cell.slice(0, 200)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group gap="xl" component="dl" m={0} aria-label="What is in the file">
        <Count name="Rows" count={rows} />
        <Count name="Addresses to check" count={counts?.addresses} />
        <Count name="Duplicates" count={counts?.duplicates} note="checked and paid once" />
        <Count name="No address" count={counts?.noAddress} note="free" />
        <Count name="Empty" count={counts?.empty} />
      </Group>
    </Stack>
  );
}

function Count({ name, count, note }: { name: string; count: number | undefined; note?: string }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600} fz="lg" className="mv-number">
        {formatNumber(count)}
        {note && count !== undefined && count > 0 && (
          <Text component="span" size="xs" c="dimmed" fw={400}>
            {' '}
            {note}
          </Text>
        )}
      </Text>
    </div>
  );
}
