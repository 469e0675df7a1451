import { Alert, Anchor, Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api, apiAddress, withQuery } from '../../api/client';
import type { Allowance, AllowanceMonth, LedgerEntry, LedgerPage, Options } from '../../api/types';
import { useAccount } from '../../app/session';
import { DataTable, type Column } from '../../components/data-table';
import { counted, formatMonth, formatNumber, formatSigned } from '../../components/format';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { Stat, Stats, StatSkeletons } from '../../components/stat';
import { EmptyState, ErrorState, Lines, Loaded } from '../../components/states';
import { When } from '../../components/when';
import { WithIcon } from '../../components/with-icon';
import { asTimes } from './as-times';
import { endpointName, KINDS } from './words';

export default function CreditsPage() {
  const account = useAccount();
  const [search, setSearch] = useSearchParams();
  const filter = { kind: search.get('kind') ?? '', from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const wanted = { kind: filter.kind, ...asTimes(filter) };
  const options = useQuery({
    queryKey: ['options'],
    queryFn: ({ signal }) => api.get<Options>('/options', { signal }),
    staleTime: Infinity,
  });
  const ledger = useInfiniteQuery({
    queryKey: account.key('ledger', filter),
    queryFn: ({ pageParam, signal }) =>
      api.get<LedgerPage>(withQuery(account.path('/ledger'), { ...wanted, limit: 50, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const months = useQuery({
    queryKey: account.key('allowance'),
    queryFn: ({ signal }) => api.get<Allowance>(account.path('/allowance'), { signal }),
  });
  const set = (name: string, value: string) =>
    setSearch(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
      },
      { replace: true },
    );
  const topUp = options.data?.topup_url;
  const balance = ledger.data?.pages[0]?.balance;
  const thisMonth = months.data?.months[0];
  const filtered = filter.kind !== '' || filter.from !== '' || filter.to !== '';

  return (
    <Page
      title="Credits"
      description="Where the credits came from, and where they went."
      actions={
        topUp && (
          <Button component="a" href={topUp} target="_blank" rel="noreferrer">
            Top up
          </Button>
        )
      }
    >
      {(balance === undefined && !ledger.error) || months.isPending ? (
        <StatSkeletons count={3} />
      ) : (
        <Stats>
          <Stat label="Balance" value={formatNumber(balance)} note="credits, purchased and gifted" />
          {thisMonth && (
            <Stat
              label="Free verifications used"
              value={formatNumber(thisMonth.free_verifies_used)}
              note={`in ${formatMonth(thisMonth.month)}, ${thisMonth.limit === null ? 'without a limit' : `of ${formatNumber(thisMonth.limit)}`}`}
              share={thisMonth.limit ? thisMonth.free_verifies_used / thisMonth.limit : null}
            />
          )}
          {thisMonth && (
            <Stat
              label="Credits used"
              value={formatNumber(thisMonth.credits_used)}
              note={`in ${formatMonth(thisMonth.month)}`}
            />
          )}
        </Stats>
      )}
      {balance === 0 && (
        <Alert color="orange" icon={<Icon name="warning" />} title="The credits are used up">
          Calls beyond the free verifications of the month are refused with 402 until there are credits again.{' '}
          {topUp ? (
            <Anchor href={topUp} target="_blank" rel="noreferrer" inherit>
              Top up
            </Anchor>
          ) : (
            'Ask whoever runs this service for more.'
          )}
        </Alert>
      )}
      <Section title="Statement" description="The newest first, with the balance after each entry" flush>
        <Group px="lg" pb="md" gap="sm" align="flex-end">
          <NativeSelect
            label="Kind"
            size="xs"
            value={filter.kind}
            onChange={(event) => set('kind', event.currentTarget.value)}
            data={[
              { value: '', label: 'All' },
              ...Object.entries(KINDS).map(([value, { label }]) => ({ value, label })),
            ]}
          />
          <TextInput
            label="From"
            type="date"
            size="xs"
            value={filter.from}
            onChange={(event) => set('from', event.currentTarget.value)}
          />
          <TextInput
            label="To"
            type="date"
            size="xs"
            value={filter.to}
            onChange={(event) => set('to', event.currentTarget.value)}
          />
          <Button
            component="a"
            href={apiAddress(account.path('/ledger.csv'), wanted)}
            download
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={14} />}
          >
            The whole statement as CSV
          </Button>
        </Group>
        {ledger.data ? (
          <Statement
            entries={ledger.data.pages.flatMap(({ entries }) => entries)}
            filtered={filtered}
            more={
              ledger.hasNextPage && (
                <Button
                  variant="default"
                  size="xs"
                  loading={ledger.isFetchingNextPage}
                  onClick={() => void ledger.fetchNextPage()}
                >
                  Show older entries
                </Button>
              )
            }
          />
        ) : ledger.error ? (
          <ErrorState error={ledger.error} retry={() => void ledger.refetch()} />
        ) : (
          <Stack p="lg" pt={0} role="status" aria-label="Loading">
            <Lines count={6} height={24} />
          </Stack>
        )}
      </Section>
      <Section title="By month" description="In months of UTC" flush>
        <Loaded query={months} skeleton={<Skeleton height={160} m="lg" />}>
          {({ months: rows }) => <Months rows={rows} />}
        </Loaded>
      </Section>
    </Page>
  );
}

function Statement({
  entries,
  more,
  filtered,
}: {
  entries: readonly LedgerEntry[];
  more: React.ReactNode;
  filtered: boolean;
}) {
  const columns: Column<LedgerEntry>[] = [
    { key: 'at', header: 'When', value: ({ at }) => at, render: ({ at }) => <When at={at} /> },
    {
      key: 'kind',
      header: 'Kind',
      value: ({ kind }) => KINDS[kind]?.label ?? kind,
      render: ({ kind }) => (
        <WithIcon icon={KINDS[kind]?.icon ?? 'info'} color="var(--mantine-color-dimmed)">
          {KINDS[kind]?.label ?? kind}
        </WithIcon>
      ),
    },
    {
      key: 'what',
      header: 'For',
      value: ({ endpoint, key_name, reference }) =>
        [endpointName(endpoint), key_name, reference].filter(Boolean).join(', '),
      render: ({ endpoint, key_name, reference, addresses }) => (
        <span>
          {[endpointName(endpoint), addresses ? counted(addresses, 'address', 'addresses') : null]
            .filter(Boolean)
            .join(', ') ||
            reference ||
            '–'}
          {key_name && (
            <Text size="xs" c="dimmed">
              Key {key_name}
            </Text>
          )}
        </span>
      ),
    },
    {
      key: 'free',
      header: 'Free',
      align: 'right',
      value: ({ free_verifies }) => free_verifies,
      render: ({ free_verifies }) => (free_verifies === 0 ? '–' : formatSigned(free_verifies)),
    },
    {
      key: 'credits',
      header: 'Credits',
      align: 'right',
      value: ({ credits }) => credits.total,
      render: ({ credits }) => (
        <Text span size="sm" fw={credits.total > 0 ? 600 : 400} inherit={false}>
          {formatSigned(credits.total)}
        </Text>
      ),
    },
    {
      key: 'balance',
      header: 'Balance',
      align: 'right',
      value: ({ balance_after }) => balance_after,
      render: ({ balance_after }) => formatNumber(balance_after),
    },
  ];
  return (
    <>
      <DataTable
        label="Statement"
        columns={columns}
        rows={entries}
        rowKey={({ id }) => id}
        csvName="statement-shown"
        empty={
          <EmptyState icon="credits" title={filtered ? 'Nothing in this period' : 'Nothing yet'}>
            {filtered
              ? 'Choose another kind or period.'
              : 'Grants, charges and refunds stand here, each with the balance after it.'}
          </EmptyState>
        }
      />
      {more && (
        <Group justify="center" pb="md">
          {more}
        </Group>
      )}
    </>
  );
}

function Months({ rows }: { rows: readonly AllowanceMonth[] }) {
  const columns: Column<AllowanceMonth>[] = [
    { key: 'month', header: 'Month', value: ({ month }) => month, render: ({ month }) => formatMonth(month) },
    {
      key: 'free',
      header: 'Free verifications used',
      align: 'right',
      value: ({ free_verifies_used }) => free_verifies_used,
      render: ({ free_verifies_used }) => formatNumber(free_verifies_used),
    },
    {
      key: 'limit',
      header: 'Of',
      align: 'right',
      value: ({ limit }) => limit,
      render: ({ limit }) => (limit === null ? 'no limit' : formatNumber(limit)),
    },
    {
      key: 'credits',
      header: 'Credits used',
      align: 'right',
      value: ({ credits_used }) => credits_used,
      render: ({ credits_used }) => formatNumber(credits_used),
    },
  ];
  return (
    <DataTable
      label="By month"
      columns={columns}
      rows={rows}
      rowKey={({ month }) => month}
      csvName="months"
      searchable={false}
      initialSort={{ key: 'month', descending: true }}
      empty={<EmptyState title="Nothing was verified yet" />}
    />
  );
}
