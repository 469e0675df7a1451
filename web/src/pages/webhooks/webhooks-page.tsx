import { Alert, Badge, Button, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpoints } from '../../api/types';
import { useAccount } from '../../app/session';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { EmptyState, Lines, Loaded } from '../../components/states';
import { toastDone, toastFailure } from '../../components/toast';
import { CreateWebhookDialog } from './create-webhook-dialog';
import { Deliveries } from './deliveries';
import { EndpointStatus, endpointStatus } from './endpoint-status';
import { NewSecretDialog, type NewSecret } from './new-secret-dialog';

export default function WebhooksPage() {
  const account = useAccount();
  const client = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewSecret | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { ask, dialog } = useConfirm();
  const key = account.key('webhooks');
  const webhooks = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<WebhookEndpoints>(account.path('/webhooks'), { signal }),
    refetchInterval: 30_000,
  });
  const mayChange = account.can('developer');
  const pathOf = ({ id }: WebhookEndpoint) => account.path(`/webhooks/${id}`);
  const reload = () => client.invalidateQueries({ queryKey: key });
  const onMade = ({ id, url, secret }: NewWebhookEndpoint) => {
    setCreating(false);
    setMade({ url, secret, rotated: false });
    setChosen(id);
    void reload();
  };
  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      await reload();
      toastDone(done);
    } catch (error) {
      toastFailure(error);
    }
  };
  const sendTest = (row: WebhookEndpoint) =>
    act(async () => {
      await api.post(`${pathOf(row)}/test`);
      setChosen(row.id);
      await client.invalidateQueries({ queryKey: account.key('webhook-deliveries', row.id) });
    }, 'A test event is sent.');
  const rotate = (row: WebhookEndpoint) =>
    ask({
      title: 'Replace the secret?',
      confirm: 'Replace secret',
      destructive: false,
      children: (
        <Text size="sm">For 24 hours deliveries are signed with the old secret too, so that none is refused.</Text>
      ),
      onConfirm: async () => {
        const { url, secret } = await api.post<NewWebhookEndpoint>(`${pathOf(row)}/rotate`);
        setMade({ url, secret, rotated: true });
      },
    });
  const disable = (row: WebhookEndpoint) =>
    ask({
      title: 'Switch the endpoint off?',
      confirm: 'Switch off',
      children: <Text size="sm">Nothing is sent until you switch it on. Deliveries that wait count as failed.</Text>,
      onConfirm: async () => {
        await api.post(`${pathOf(row)}/disable`);
        await reload();
      },
    });
  const remove = (row: WebhookEndpoint) =>
    ask({
      title: 'Remove the endpoint?',
      confirm: 'Remove',
      children: <Text size="sm">Events that wait for it are dropped, and its deliveries are no longer shown.</Text>,
      onConfirm: async () => {
        await api.delete(pathOf(row));
        setChosen(null);
        await reload();
      },
    });

  const columns: Column<WebhookEndpoint>[] = [
    {
      key: 'url',
      header: 'URL',
      value: ({ url }) => url,
      render: ({ url }) => (
        <Text fw={500} size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
      ),
    },
    {
      key: 'events',
      header: 'Events',
      value: ({ events }) => events.join(', '),
      render: ({ events, low }) => (
        <span>
          {events.map((type) => (
            <Text key={type} size="xs" ff="monospace">
              {type}
              {type === 'credits.low' && ` under ${low}`}
            </Text>
          ))}
        </span>
      ),
    },
    {
      key: 'mode',
      header: 'Mode',
      value: ({ mode }) => mode,
      render: ({ mode }) => (
        <Badge variant="default" tt="none" fw={500}>
          {mode === 'live' ? 'Live' : 'Test'}
        </Badge>
      ),
    },
    { key: 'status', header: 'Status', value: endpointStatus, render: (row) => <EndpointStatus endpoint={row} /> },
    {
      key: 'actions',
      header: '',
      actions: true,
      value: () => null,
      render: (row) => (
        <Button.Group style={{ justifyContent: 'flex-end' }}>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Deliveries to ${row.url}`}
            onClick={() => setChosen(row.id)}
          >
            Deliveries
          </Button>
          {mayChange && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="subtle" size="compact-sm" aria-label={`Change ${row.url}`}>
                  Change
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {row.disabled_at === null && <Menu.Item onClick={() => void sendTest(row)}>Send a test</Menu.Item>}
                <Menu.Item onClick={() => rotate(row)}>Replace the secret</Menu.Item>
                {row.disabled_at === null ? (
                  <Menu.Item onClick={() => disable(row)}>Switch off</Menu.Item>
                ) : (
                  <Menu.Item onClick={() => void act(() => api.post(`${pathOf(row)}/enable`), 'The endpoint is on.')}>
                    Switch on
                  </Menu.Item>
                )}
                <Menu.Item color="red" onClick={() => remove(row)}>
                  Remove
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Button.Group>
      ),
    },
  ];
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      Add endpoint
    </Button>
  );
  const shown = webhooks.data?.webhooks.find(({ id }) => id === chosen) ?? webhooks.data?.webhooks[0];

  return (
    <Page
      title="Webhooks"
      description="Your programs are told when something happens, so that they need not ask. An event is signed and sent to a URL, and again until it arrives."
      actions={mayChange && create}
    >
      {!mayChange && (
        <Alert color="gray" icon={<Icon name="info" />}>
          You can look at webhooks here. Who changes them needs the role of a developer or owner.
        </Alert>
      )}
      <Section flush>
        <Loaded query={webhooks} skeleton={<Skeletons />}>
          {({ webhooks: rows }) => (
            <div style={{ paddingTop: 16 }}>
              <DataTable
                label="Webhooks"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                csvName="webhooks"
                searchable={false}
                empty={
                  <EmptyState icon="webhooks" title="No endpoint yet" action={mayChange && create}>
                    Add the URL of your program, choose the events, and keep the secret that verifies them.
                  </EmptyState>
                }
              />
            </div>
          )}
        </Loaded>
      </Section>
      {shown && <Deliveries key={shown.id} endpoint={shown} />}
      <CreateWebhookDialog opened={creating} onClose={() => setCreating(false)} onMade={onMade} />
      <NewSecretDialog made={made} onClose={() => setMade(null)} />
      {dialog}
    </Page>
  );
}

function Skeletons() {
  return (
    <div style={{ padding: 24 }}>
      <Lines count={3} height={28} />
    </div>
  );
}
