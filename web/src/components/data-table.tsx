import { Button, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import classes from './data-table.module.css';
import { download, toCsv } from './csv';
import { Icon } from './icons';
import { counted } from './format';

type Value = string | number | null | undefined;

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  /** What is sorted by, searched in and exported. */
  readonly value: (row: Row) => Value;
  /** What is shown, where that is more than the value. */
  readonly render?: (row: Row) => ReactNode;
  /** Numbers stand to the right, digit under digit. */
  readonly align?: 'right';
  /** Of buttons: neither sorted nor exported, as narrow as can be. */
  readonly actions?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table lists, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The name of the exported file, without `.csv`; without it there is no export. */
  readonly csvName?: string;
  readonly searchable?: boolean;
  readonly initialSort?: { readonly key: string; readonly descending: boolean };
  readonly empty?: ReactNode;
  /** More filters, or buttons, beside the search. */
  readonly toolbar?: ReactNode;
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
}

/** Sorts by a click on a heading, filters by a word, exports what is shown as CSV; a list of cards on a phone. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  csvName,
  searchable = true,
  initialSort,
  empty,
  toolbar,
}: DataTableProps<Row>) {
  const [sort, setSort] = useState(initialSort ?? null);
  const [search, setSearch] = useState('');
  const data = useMemo(() => columns.filter(({ actions }) => !actions), [columns]);
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const found = wanted
      ? rows.filter((row) =>
          data.some((column) =>
            String(column.value(row) ?? '')
              .toLowerCase()
              .includes(wanted),
          ),
        )
      : [...rows];
    const by = sort && data.find(({ key }) => key === sort.key);
    if (!by) return found;
    const direction = sort.descending ? -1 : 1;
    return found.sort((a, b) => direction * compare(by.value(a), by.value(b)));
  }, [rows, data, search, sort]);

  if (rows.length === 0 && empty)
    return (
      <>
        {toolbar && (
          <Group px="lg" pb="sm">
            {toolbar}
          </Group>
        )}
        {empty}
      </>
    );
  const sortBy = (key: string) =>
    setSort((now) => (now?.key === key ? { key, descending: !now.descending } : { key, descending: false }));
  const exportCsv = () =>
    download(
      `${csvName}.csv`,
      toCsv([data.map(({ header }) => header), ...shown.map((row) => data.map((column) => column.value(row)))]),
    );
  const exporter = csvName && (
    <Button
      variant="subtle"
      size="xs"
      ml="auto"
      leftSection={<Icon name="download" size={14} />}
      onClick={exportCsv}
      disabled={shown.length === 0}
    >
      CSV
    </Button>
  );

  return (
    <>
      {(searchable || toolbar) && (
        <Group px="lg" pb="sm" gap="sm">
          {searchable && (
            <TextInput
              aria-label={`Filter ${label.toLowerCase()}`}
              placeholder="Filter"
              size="xs"
              miw={0}
              style={{ flex: '1 1 120px' }}
              maw={200}
              leftSection={<Icon name="search" size={14} />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          {toolbar}
          {exporter}
        </Group>
      )}
      <div className={classes.scroll}>
        {/* The roles are said again, as a table that is shown as a list of cards loses them. */}
        <table className={classes.table} aria-label={label} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.key}
                  role="columnheader"
                  scope="col"
                  className={classOf(column)}
                  aria-sort={sort?.key === column.key ? (sort.descending ? 'descending' : 'ascending') : undefined}
                >
                  {column.actions ? (
                    <VisuallyHidden>{column.header || 'Actions'}</VisuallyHidden>
                  ) : (
                    <button type="button" className={classes.sort} onClick={() => sortBy(column.key)}>
                      {column.header}
                      <Icon name={sort?.key !== column.key ? 'sort' : sort.descending ? 'down' : 'up'} size={14} />
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row) => (
              <tr key={rowKey(row)} role="row">
                {columns.map((column) => (
                  <td
                    key={column.key}
                    role="cell"
                    className={classOf(column)}
                    data-label={column.actions ? undefined : column.header}
                  >
                    {column.render ? column.render(row) : (column.value(row) ?? '–')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && (
        <Text c="dimmed" size="sm" ta="center" py="lg">
          Nothing matches the filter.
        </Text>
      )}
      <Group px="lg" py="xs" gap="sm">
        <Text c="dimmed" size="xs" aria-live="polite">
          {shown.length === rows.length
            ? counted(rows.length, 'row')
            : `${shown.length} of ${counted(rows.length, 'row')}`}
        </Text>
        {!searchable && !toolbar && exporter}
      </Group>
    </>
  );
}

function classOf({ align, actions }: Column<never>): string | undefined {
  return align === 'right' ? classes.right : actions ? classes.narrow : undefined;
}
