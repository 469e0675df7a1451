import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Queues, Retried } from '../../api/types';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { counted, formatDuration, formatNumber } from '../../components/format';
import { Icon } from '../../components/icons';
import { Section } from '../../components/page';
import { EmptyState, Loaded } from '../../components/states';
import { toastDone, toastFailure } from '../../components/toast';
import { When } from '../../components/when';

type Queue = Queues['queues'][number];
type Failed = Queues['failed'][number];

export function QueuesView() {
  const client = useQueryClient();
  const { ask, dialog } = useConfirm();
  const key = ['admin', 'queues'];
  const queues = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<Queues>('/admin/queues', { signal }),
    refetchInterval: 5000,
  });
  const retried = ({ retried: count }: { retried: number }) => {
    toastDone(`${counted(count, 'piece')} of work queued again.`);
    void client.invalidateQueries({ queryKey: key });
  };
  const retry = useMutation({
    mutationFn: ({ queue, job_id }: Failed) => api.post<Retried>('/admin/queues/retry', { queue, job_id }),
    onSuccess: retried,
    onError: toastFailure,
  });
  const retryAll = () =>
    ask({
      title: 'Retry all that failed?',
      confirm: 'Retry all',
      destructive: false,
      children: <Text size="sm">Everything that failed is queued again. What fails again comes back here.</Text>,
      onConfirm: async () => retried(await api.post<Retried>('/admin/queues/retry', { all: true })),
    });
  const failedColumns: Column<Failed>[] = [
    { key: 'queue', header: 'Queue', value: ({ queue }) => queue },
    { key: 'id', header: 'Work', value: ({ job_id }) => job_id },
    { key: 'reason', header: 'Reason', value: ({ reason }) => reason },
    {
      key: 'at',
      header: 'Failed',
      value: ({ failed_at }) => failed_at,
      render: ({ failed_at }) => <When at={failed_at} as="ago" />,
    },
    {
      key: 'actions',
      header: '',
      actions: true,
      value: () => null,
      render: (row) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Retry ${row.queue} ${row.job_id}`}
          onClick={() => retry.mutate(row)}
        >
          Retry
        </Button>
      ),
    },
  ];
  return (
    <Loaded query={queues} skeleton={<Skeleton height={300} radius="md" />}>
      {({ queues: rows, failed }) => (
        <Stack gap="lg">
          <Section title="Queues" description="Read again every five seconds" flush>
            <DataTable
              label="Queues"
              columns={COLUMNS}
              rows={rows}
              rowKey={({ name }) => name}
              csvName="queues"
              searchable={false}
            />
          </Section>
          <Section
            title="Failed work"
            actions={
              failed.length > 0 && (
                <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={retryAll}>
                  Retry all
                </Button>
              )
            }
            flush
          >
            <DataTable
              label="Failed work"
              columns={failedColumns}
              rows={failed}
              rowKey={({ queue, job_id }) => `${queue}/${job_id}`}
              csvName="failed-work"
              empty={
                <EmptyState icon="check" title="Nothing has failed">
                  Work that fails more often than it may stands here, with the reason, until it is tried again.
                </EmptyState>
              }
            />
          </Section>
          {dialog}
        </Stack>
      )}
    </Loaded>
  );
}

const number = (key: keyof Queue & ('waiting' | 'active' | 'delayed' | 'failed'), header: string): Column<Queue> => ({
  key,
  header,
  align: 'right',
  value: (row) => row[key],
  render: (row) => formatNumber(row[key]),
});

const COLUMNS: Column<Queue>[] = [
  { key: 'name', header: 'Queue', value: ({ name }) => name },
  number('waiting', 'Waiting'),
  number('active', 'Active'),
  number('delayed', 'Delayed'),
  number('failed', 'Failed'),
  {
    key: 'oldest',
    header: 'Oldest waits',
    align: 'right',
    value: ({ oldest_waiting_seconds }) => oldest_waiting_seconds,
    render: ({ oldest_waiting_seconds }) =>
      oldest_waiting_seconds === null ? '–' : formatDuration(oldest_waiting_seconds),
  },
];
