import { Badge, Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Session, Sessions } from '../../api/types';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { formatMoment } from '../../components/format';
import { Section } from '../../components/page';
import { Lines, Loaded } from '../../components/states';
import { toastDone } from '../../components/toast';
import { When } from '../../components/when';
import { deviceName } from './device-name';

const KEY = ['sessions'];

export function Sessions() {
  const client = useQueryClient();
  const { ask, dialog } = useConfirm();
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<Sessions>('/me/sessions', { signal }),
  });
  const reload = () => client.invalidateQueries({ queryKey: KEY });
  const end = ({ id, user_agent }: Session) =>
    ask({
      title: `End the session of ${deviceName(user_agent)}?`,
      confirm: 'End it',
      children: <Text size="sm">Whoever uses it has to sign in again.</Text>,
      onConfirm: async () => {
        await api.delete(`/me/sessions/${id}`);
        toastDone('The session has ended.');
        await reload();
      },
    });
  const columns: Column<Session>[] = [
    {
      key: 'device',
      header: 'Device',
      value: ({ user_agent }) => deviceName(user_agent),
      render: ({ user_agent, current }) => (
        <span>
          {deviceName(user_agent)}
          {current && (
            <Badge variant="light" size="sm" tt="none" ml={8}>
              This one
            </Badge>
          )}
        </span>
      ),
    },
    { key: 'address', header: 'From', value: ({ address }) => address },
    {
      key: 'used',
      header: 'Last used',
      value: ({ last_used_at }) => last_used_at,
      render: ({ last_used_at }) => <When at={last_used_at} as="ago" />,
    },
    {
      key: 'began',
      header: 'Signed in',
      value: ({ created_at }) => created_at,
      render: ({ created_at }) => <When at={created_at} />,
    },
    {
      key: 'ends',
      header: 'Ends at the latest',
      value: ({ expires_at }) => expires_at,
      render: ({ expires_at }) => <When at={expires_at} />,
    },
    {
      key: 'actions',
      header: '',
      actions: true,
      value: () => null,
      render: (session) =>
        session.current ? null : (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`End the session of ${deviceName(session.user_agent)}, ${session.address}, ${formatMoment(session.created_at)}`}
            onClick={() => end(session)}
          >
            End
          </Button>
        ),
    },
  ];
  const endOthers = () =>
    ask({
      title: 'End all other sessions?',
      confirm: 'End them',
      children: <Text size="sm">Whoever uses them has to sign in again. This one goes on.</Text>,
      onConfirm: async () => {
        await api.post('/me/sessions/end-others');
        toastDone('Your other sessions have ended.');
        await reload();
      },
    });
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. A session ends after 12 hours without use, and after 7 days in any case."
      actions={
        (sessions.data?.sessions.length ?? 0) > 1 && (
          <Button variant="default" size="xs" onClick={endOthers}>
            End all others
          </Button>
        )
      }
      flush
    >
      <Loaded
        query={sessions}
        skeleton={
          <Stack p="lg">
            <Lines />
          </Stack>
        }
      >
        {({ sessions: rows }) => (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            csvName="sessions"
            searchable={rows.length > 5}
          />
        )}
      </Loaded>
      {dialog}
    </Section>
  );
}
