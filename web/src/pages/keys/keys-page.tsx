import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ApiKey, ApiKeys, NewApiKey } from '../../api/types';
import { useAccount } from '../../app/session';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { EmptyState, Lines, Loaded } from '../../components/states';
import { toastDone } from '../../components/toast';
import { When } from '../../components/when';
import { CreateKeyDialog } from './create-key-dialog';
import { KeyCalls } from './key-calls';
import { KeyStatus, statusWord } from './key-status';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';

export default function KeysPage() {
  const account = useAccount();
  const client = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const { ask, dialog } = useConfirm();
  const key = account.key('keys');
  const keys = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<ApiKeys>(account.path('/keys'), { signal }),
    refetchInterval: 30_000,
  });
  const reload = () => client.invalidateQueries({ queryKey: key });
  const mayChange = account.can('developer');
  const onMade = (fresh: NewApiKey) => {
    setCreating(false);
    setRotating(null);
    setMade(fresh);
    void reload();
  };
  const revoke = (row: ApiKey) =>
    ask({
      title: `Revoke ${nameOf(row)}?`,
      confirm: 'Revoke key',
      children: (
        <Text size="sm">
          Within five seconds every call with the key that ends in {row.last_four} is refused with 401. This cannot be
          taken back. To change a key without refused calls, rotate it.
        </Text>
      ),
      onConfirm: async () => {
        await api.post(account.path(`/keys/${row.id}/revoke`));
        await reload();
        toastDone(`${nameOf(row)} is revoked.`);
      },
    });

  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: 'Name',
      value: ({ name }) => name,
      render: (row) => (
        <Text fw={500} size="sm" component="span">
          {nameOf(row)}
        </Text>
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
    {
      key: 'key',
      header: 'Key',
      value: ({ last_four }) => `…${last_four}`,
      render: ({ mode, last_four }) => (
        <Text ff="monospace" size="xs" component="span">
          mv_{mode}_…{last_four}
        </Text>
      ),
    },
    { key: 'status', header: 'Status', value: statusWord, render: (row) => <KeyStatus apiKey={row} /> },
    {
      key: 'used',
      header: 'Last used',
      value: ({ last_used_at }) => last_used_at,
      render: ({ last_used_at }) => <When at={last_used_at} as="ago" none="never" />,
    },
    {
      key: 'created',
      header: 'Created',
      value: ({ created_at }) => created_at,
      render: ({ created_at, created_by }) => (
        <span>
          <When at={created_at} as="date" />
          {created_by && (
            <Text size="xs" c="dimmed">
              by {created_by}
            </Text>
          )}
        </span>
      ),
    },
    ...(mayChange
      ? [
          {
            key: 'actions',
            header: '',
            actions: true,
            value: () => null,
            render: (row: ApiKey) =>
              row.status === 'active' || row.status === 'expiring' ? (
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Rotate ${nameOf(row)}, …${row.last_four}`}
                    onClick={() => setRotating(row)}
                    disabled={row.replaced_by !== null}
                  >
                    Rotate
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    aria-label={`Revoke ${nameOf(row)}, …${row.last_four}`}
                    onClick={() => revoke(row)}
                  >
                    Revoke
                  </Button>
                </Group>
              ) : null,
          } satisfies Column<ApiKey>,
        ]
      : []),
  ];
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)} disabled={!mayChange}>
      Create key
    </Button>
  );

  return (
    <Page
      title="API keys"
      description="A key lets your programs call the API in the name of this account. A live key verifies and costs credits; a test key answers from the sandbox, and is free."
      actions={mayChange && create}
    >
      {!mayChange && (
        <Alert color="gray" icon={<Icon name="info" />}>
          You can look at keys here. Who creates, rotates and revokes them needs the role of a developer or owner.
        </Alert>
      )}
      <Section flush>
        <Loaded query={keys} skeleton={<Skeletons />}>
          {({ keys: rows }) => (
            <div style={{ paddingTop: 16 }}>
              <DataTable
                label="API keys"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                csvName="api-keys"
                initialSort={{ key: 'created', descending: true }}
                empty={
                  <EmptyState icon="keys" title="No key yet" action={mayChange && create}>
                    Create a test key to try the API without cost, or a live key to verify for real.
                  </EmptyState>
                }
              />
            </div>
          )}
        </Loaded>
      </Section>
      <KeyCalls />
      <CreateKeyDialog opened={creating} onClose={() => setCreating(false)} onMade={onMade} />
      <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} onMade={onMade} />
      <NewKeyDialog made={made} onClose={() => setMade(null)} />
      {dialog}
    </Page>
  );
}

/** Keys that the operator's command has made may have none. */
function nameOf({ name }: ApiKey): string {
  return name ?? 'Unnamed key';
}

function Skeletons() {
  return (
    <div style={{ padding: 24 }}>
      <Lines count={4} height={28} />
    </div>
  );
}
