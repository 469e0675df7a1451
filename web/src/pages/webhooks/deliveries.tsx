import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, withQuery } from '../../api/client';
import type { WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint } from '../../api/types';
import { useAccount } from '../../app/session';
import { DataTable, type Column } from '../../components/data-table';
import { formatMoment, formatNumber } from '../../components/format';
import type { IconName } from '../../components/icons';
import { Section } from '../../components/page';
import { EmptyState, ErrorState, Lines } from '../../components/states';
import { When } from '../../components/when';
import { WithIcon } from '../../components/with-icon';
import { DeliveryDialog } from './delivery-dialog';
import { outcomeOf } from './events';

const LOOKS: Readonly<Record<WebhookDelivery['state'], { icon: IconName; color: string }>> = {
  due: { icon: 'clock', color: 'var(--mv-verdict-role)' },
  delivered: { icon: 'check', color: 'var(--mv-verdict-valid)' },
  failed: { icon: 'cross', color: 'var(--mv-verdict-invalid)' },
};

/** What was sent to an endpoint: nothing of it holds an address until a delivery is opened. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const account = useAccount();
  const [open, setOpen] = useState<WebhookDelivery | null>(null);
  const deliveries = useInfiniteQuery({
    queryKey: account.key('webhook-deliveries', endpoint.id),
    queryFn: ({ pageParam, signal }) =>
      api.get<WebhookDeliveryPage>(
        withQuery(account.path(`/webhooks/${endpoint.id}/deliveries`), { limit: 50, cursor: pageParam }),
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 10_000,
  });
  const columns: Column<WebhookDelivery>[] = [
    { key: 'at', header: 'When', value: ({ created_at }) => created_at, render: (row) => <When at={row.created_at} /> },
    { key: 'type', header: 'Event', value: ({ type }) => type },
    {
      key: 'outcome',
      header: 'Outcome',
      value: outcomeOf,
      render: (row) => (
        <span>
          <WithIcon {...LOOKS[row.state]}>{outcomeOf(row)}</WithIcon>
          {row.due_at && row.attempts > 0 && (
            <Text size="xs" c="dimmed" component="div">
              next <When at={row.due_at} as="ago" />
            </Text>
          )}
        </span>
      ),
    },
    {
      key: 'attempts',
      header: 'Attempts',
      align: 'right',
      value: ({ attempts }) => attempts,
      render: ({ attempts }) => formatNumber(attempts),
    },
    {
      key: 'open',
      header: '',
      actions: true,
      value: () => null,
      render: (row) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Open ${row.type}, ${formatMoment(row.created_at)}`}
          onClick={() => setOpen(row)}
        >
          Open
        </Button>
      ),
    },
  ];
  return (
    <Section title="Deliveries" description={`To ${endpoint.url}, newest first, for 30 days`} flush>
      {deliveries.data ? (
        <>
          <DataTable
            label="Deliveries"
            columns={columns}
            rows={deliveries.data.pages.flatMap((page) => page.deliveries)}
            rowKey={({ id }) => id}
            csvName="webhook-deliveries"
            empty={
              <EmptyState icon="clock" title="Nothing was sent yet">
                Send a test event to see whether your program takes it.
              </EmptyState>
            }
          />
          {deliveries.hasNextPage && (
            <Group justify="center" pb="md">
              <Button
                variant="default"
                size="xs"
                loading={deliveries.isFetchingNextPage}
                onClick={() => void deliveries.fetchNextPage()}
              >
                Show older deliveries
              </Button>
            </Group>
          )}
        </>
      ) : deliveries.error ? (
        <ErrorState error={deliveries.error} retry={() => void deliveries.refetch()} />
      ) : (
        <Stack p="lg">
          <Lines count={3} />
        </Stack>
      )}
      <DeliveryDialog
        endpoint={endpoint}
        delivery={open}
        onClose={() => setOpen(null)}
        onResent={() => {
          setOpen(null);
          void deliveries.refetch();
        }}
      />
    </Section>
  );
}
