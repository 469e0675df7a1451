import { Anchor, Badge, Button, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, withQuery } from '../../api/client';
import type { AdminAccount, AdminAccountPage } from '../../api/types';
import { DataTable, type Column } from '../../components/data-table';
import { formatNumber } from '../../components/format';
import { Icon } from '../../components/icons';
import { Section } from '../../components/page';
import { EmptyState, ErrorState, Lines } from '../../components/states';
import { When } from '../../components/when';
import { CreateAccountDialog } from './create-account-dialog';

export function Accounts() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), 250);
  const [creating, setCreating] = useState(false);
  const accounts = useInfiniteQuery({
    queryKey: ['admin', 'accounts', query],
    queryFn: ({ pageParam, signal }) =>
      api.get<AdminAccountPage>(withQuery('/admin/accounts', { query, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      Create account
    </Button>
  );
  return (
    <Section title="Accounts" actions={create} flush>
      <Group px="lg" pb="sm">
        <TextInput
          aria-label="Find an account"
          placeholder="Name or id"
          size="xs"
          w={260}
          leftSection={<Icon name="search" size={14} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Group>
      {accounts.data ? (
        <>
          <DataTable
            label="Accounts"
            columns={COLUMNS}
            rows={accounts.data.pages.flatMap(({ accounts: rows }) => rows)}
            rowKey={({ id }) => id}
            csvName="accounts"
            searchable={false}
            empty={
              <EmptyState
                icon="team"
                title={query ? 'No account is named so' : 'No account yet'}
                action={!query && create}
              />
            }
          />
          {accounts.hasNextPage && (
            <Group justify="center" pb="md">
              <Button
                variant="default"
                size="xs"
                loading={accounts.isFetchingNextPage}
                onClick={() => void accounts.fetchNextPage()}
              >
                Show more
              </Button>
            </Group>
          )}
        </>
      ) : accounts.error ? (
        <ErrorState error={accounts.error} retry={() => void accounts.refetch()} />
      ) : (
        <Stack p="lg">
          <Lines count={5} height={24} />
        </Stack>
      )}
      <CreateAccountDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={({ id }) => void navigate(`/admin/accounts/${id}`)}
      />
    </Section>
  );
}

const COLUMNS: Column<AdminAccount>[] = [
  {
    key: 'name',
    header: 'Name',
    value: ({ name }) => name,
    render: ({ id, name }) => (
      <Anchor component={Link} to={`/admin/accounts/${id}`} size="sm" fw={500}>
        {name}
      </Anchor>
    ),
  },
  { key: 'plan', header: 'Plan', value: ({ plan }) => plan },
  {
    key: 'state',
    header: 'State',
    value: ({ suspended }) => (suspended ? 'suspended' : 'active'),
    render: ({ suspended }) =>
      suspended ? (
        <Badge color="orange" variant="light" tt="none">
          Suspended
        </Badge>
      ) : (
        'Active'
      ),
  },
  {
    key: 'credits',
    header: 'Credits',
    align: 'right',
    value: ({ credits_total }) => credits_total,
    render: ({ credits_total }) => formatNumber(credits_total),
  },
  {
    key: 'created',
    header: 'Created',
    value: ({ created_at }) => created_at,
    render: ({ created_at }) => <When at={created_at} as="date" />,
  },
];
