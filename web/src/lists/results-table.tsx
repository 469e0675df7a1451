import { Button, Chip, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { download, toCsv } from '../components/csv';
import { counted, formatNumber, humanise } from '../components/format';
import { Icon } from '../components/icons';
import { VERDICTS, VerdictBadge, verdictLook } from '../components/verdict';
import { ADDED_COLUMNS, addedCells, type EntryResults } from './file/added-columns';
import { filterResults, type ResultSort, type SortKey } from './filter-results';
import { REASON_NAMES } from './reason-names';
import classes from './results-table.module.css';

const ROW_HEIGHT = 44;
const DECISIONS: Readonly<Record<string, string>> = { allow: 'Use', review: 'Review', deny: 'Do not use' };

interface ColumnOf {
  readonly key: SortKey;
  readonly header: string;
}
const COLUMNS: readonly ColumnOf[] = [
  { key: 'email', header: 'Address' },
  { key: 'result', header: 'Verdict' },
  { key: 'reason', header: 'Reason' },
  { key: 'decision', header: 'Advice' },
  { key: 'score', header: 'Score' },
  { key: 'suggestion', header: 'Perhaps meant' },
];

/** Every address of a list. Only the rows in sight are in the document, so that a list of any length scrolls. */
export function ResultsTable({ results, name }: { results: EntryResults; name: string }) {
  const [text, setText] = useState('');
  const [verdicts, setVerdicts] = useState<string[]>([]);
  const [reason, setReason] = useState('');
  const [sort, setSort] = useState<ResultSort | null>(null);
  const wanted = useDeferredValue(text);
  const counts = useMemo(() => countsOf(results), [results]);
  const shown = useMemo(
    () => filterResults(results, { text: wanted, verdicts, reason }, sort),
    [results, wanted, verdicts, reason, sort],
  );
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler leaves this component as it is
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const change = (apply: () => void) => {
    apply();
    scroller.current?.scrollTo({ top: 0 });
  };
  const sortBy = (key: SortKey) =>
    change(() =>
      setSort((now) =>
        now?.key !== key ? { key, descending: false } : now.descending ? null : { key, descending: true },
      ),
    );
  const exportCsv = () =>
    download(
      `${name}-results.csv`,
      toCsv([
        ['email', ...ADDED_COLUMNS],
        ...shown.map((entry) => [results.email[entry], ...addedCells(results, entry)]),
      ]),
    );

  return (
    <>
      <Group px="lg" pb="sm" gap="sm">
        <TextInput
          aria-label="Find an address"
          placeholder="Find an address"
          size="xs"
          w={220}
          leftSection={<Icon name="search" size={14} />}
          value={text}
          onChange={(event) => change(() => setText(event.currentTarget.value))}
        />
        <NativeSelect
          aria-label="Reason"
          size="xs"
          value={reason}
          onChange={(event) => change(() => setReason(event.currentTarget.value))}
          data={[
            { value: '', label: 'All reasons' },
            ...[...counts.reasons].map(([value, count]) => ({
              value,
              label: `${reasonName(value)} (${formatNumber(count)})`,
            })),
          ]}
        />
        <Chip.Group multiple value={verdicts} onChange={(value) => change(() => setVerdicts(value))}>
          <Group gap={6} role="group" aria-label="Verdicts to show">
            {VERDICTS.filter((verdict) => counts.verdicts.has(verdict)).map((verdict) => (
              <Chip key={verdict} value={verdict} size="xs" variant="outline">
                {verdictLook(verdict).label} {formatNumber(counts.verdicts.get(verdict))}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
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
      </Group>
      <div
        ref={scroller}
        className={classes.scroller}
        tabIndex={0}
        role="region"
        aria-label="Addresses and their verdicts"
      >
        <div role="table" aria-label="Addresses" aria-rowcount={shown.length + 1}>
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row}>
              {COLUMNS.map(({ key, header }) => (
                <div
                  key={key}
                  role="columnheader"
                  className={classes.cell}
                  data-column={key}
                  aria-sort={sort?.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending'}
                >
                  <button type="button" className={classes.sort} onClick={() => sortBy(key)}>
                    {header}
                    <Icon name={sort?.key !== key ? 'sort' : sort.descending ? 'down' : 'up'} size={14} />
                  </button>
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => (
              <ResultRow key={index} results={results} entry={shown[index] ?? 0} index={index} top={start} />
            ))}
          </div>
        </div>
      </div>
      <Text c="dimmed" size="xs" px="lg" py="xs" aria-live="polite">
        {shown.length === results.email.length
          ? counted(shown.length, 'address', 'addresses')
          : `${formatNumber(shown.length)} of ${counted(results.email.length, 'address', 'addresses')}`}
      </Text>
    </>
  );
}

function ResultRow({
  results,
  entry,
  index,
  top,
}: {
  results: EntryResults;
  entry: number;
  index: number;
  top: number;
}) {
  const result = results.result[entry] ?? '';
  const decision = results.decision[entry] ?? '';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-body
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
    >
      <div role="cell" className={classes.cell} data-column="email" title={results.email[entry]}>
        {results.email[entry]}
      </div>
      <div role="cell" className={classes.cell} data-column="result">
        {result === '' ? '–' : <VerdictBadge result={result} />}
      </div>
      <div role="cell" className={classes.cell} data-column="reason">
        {reasonName(results.reason[entry] ?? '')}
      </div>
      <div role="cell" className={classes.cell} data-column="decision">
        {DECISIONS[decision] ?? '–'}
      </div>
      <div role="cell" className={classes.cell} data-column="score">
        {results.score[entry]?.toFixed(3) ?? '–'}
      </div>
      <div role="cell" className={classes.cell} data-column="suggestion" title={results.suggestion[entry]}>
        {results.suggestion[entry] === '' ? '–' : results.suggestion[entry]}
      </div>
    </div>
  );
}

function reasonName(reason: string): string {
  return reason === '' ? '–' : (REASON_NAMES[reason] ?? humanise(reason));
}

function countsOf({ result, reason }: EntryResults): { verdicts: Map<string, number>; reasons: Map<string, number> } {
  const verdicts = new Map<string, number>();
  const reasons = new Map<string, number>();
  for (const value of result) verdicts.set(value, (verdicts.get(value) ?? 0) + 1);
  for (const value of reason) if (value !== '') reasons.set(value, (reasons.get(value) ?? 0) + 1);
  return { verdicts, reasons };
}
