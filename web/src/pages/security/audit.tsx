import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, withQuery } from '../../api/client';
import type { AuditEntry, AuditPage } from '../../api/types';
import { useAccount } from '../../app/session';
import { DataTable, type Column } from '../../components/data-table';
import { humanise } from '../../components/format';
import { Section } from '../../components/page';
import { EmptyState, ErrorState, Lines } from '../../components/states';
import { When } from '../../components/when';

export function Audit() {
  const account = useAccount();
  const audit = useInfiniteQuery({
    queryKey: account.key('audit'),
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditPage>(withQuery(account.path('/audit'), { limit: 100, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Section title="Audit" description="Whatever was changed in this account: by whom, when, from where" flush>
      {audit.data ? (
        <>
          <DataTable
            label="Audit"
            columns={COLUMNS}
            rows={audit.data.pages.flatMap(({ entries }) => entries)}
            rowKey={({ id }) => id}
            csvName="audit"
            empty={<EmptyState icon="clock" title="Nothing was changed yet" />}
          />
          {audit.hasNextPage && (
            <Group justify="center" pb="md">
              <Button
                variant="default"
                size="xs"
                loading={audit.isFetchingNextPage}
                onClick={() => void audit.fetchNextPage()}
              >
                Show older entries
              </Button>
            </Group>
          )}
        </>
      ) : audit.error ? (
        <ErrorState error={audit.error} retry={() => void audit.refetch()} />
      ) : (
        <Stack p="lg">
          <Lines count={5} />
        </Stack>
      )}
    </Section>
  );
}

const COLUMNS: Column<AuditEntry>[] = [
  { key: 'at', header: 'When', value: ({ at }) => at, render: ({ at }) => <When at={at} /> },
  {
    key: 'who',
    header: 'Who',
    value: ({ actor }) => actor.name,
    render: ({ actor }) => (
      <span>
        {actor.name}
        {actor.kind !== 'user' && (
          <Text size="xs" c="dimmed">
            {humanise(actor.kind)}
          </Text>
        )}
      </span>
    ),
  },
  { key: 'what', header: 'What', value: ({ action }) => humanise(action.replaceAll('.', ' ')) },
  { key: 'subject', header: 'Of', value: ({ subject }) => subject },
  { key: 'details', header: 'Details', value: ({ details }) => detailsWords(details) },
  { key: 'from', header: 'From', value: ({ address }) => address },
];

function detailsWords(details: unknown): string | null {
  if (details === null || details === undefined) return null;
  if (typeof details === 'string') return details;
  if (typeof details !== 'object') return JSON.stringify(details);
  return Object.entries(details)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');
}
