import { ActionIcon, Anchor, Group, Progress, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, withQuery } from '../api/client';
import type { List, ListPage } from '../api/types';
import { useAccount } from '../app/session';
import { ConfirmDialog } from '../components/confirm';
import { DataTable, type Column } from '../components/data-table';
import { formatNumber, formatShare } from '../components/format';
import { Icon } from '../components/icons';
import { Page, Section } from '../components/page';
import { EmptyState, Loaded } from '../components/states';
import { When } from '../components/when';
import { WithIcon } from '../components/with-icon';
import { forgetFile } from './kept-files';
import { NewList } from './new-list';

const RUNNING_POLL_MS = 3000;

/** A new list on top, and the lists of the last seven days. */
export function ListsHome() {
  const account = useAccount();
  const lists = useInfiniteQuery({
    queryKey: account.key('lists'),
    queryFn: ({ signal, pageParam }) =>
      api.get<ListPage>(withQuery(account.path('/lists'), { limit: 100, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (state.data?.pages.some(isRunning) === true ? RUNNING_POLL_MS : false),
  });
  const rows = lists.data?.pages.flatMap((page) => page.lists);
  return (
    <Page title="Lists" description="Check a file of addresses, and get the same file back with a verdict on each row.">
      {account.can('member') && <NewList />}
      <Section title="Your lists" description="Results are kept for seven days." flush>
        <Loaded query={{ data: rows, error: lists.error, refetch: lists.refetch as never }}>
          {(shown) => <ListsTable lists={shown} />}
        </Loaded>
        {lists.hasNextPage && (
          <Group justify="center" py="sm">
            <Anchor component="button" type="button" onClick={() => void lists.fetchNextPage()}>
              Show older lists
            </Anchor>
          </Group>
        )}
      </Section>
    </Page>
  );
}

function isRunning({ lists }: { readonly lists: readonly List[] }): boolean {
  return lists.some(({ status }) => status !== 'completed');
}

function ListsTable({ lists }: { lists: readonly List[] }) {
  const account = useAccount();
  const client = useQueryClient();
  const [deleting, setDeleting] = useState<List | null>(null);
  const remove = async ({ id }: List) => {
    await api.delete(account.path(`/lists/${id}`));
    await forgetFile(id);
    await client.invalidateQueries({ queryKey: account.key('lists') });
  };
  const columns: Column<List>[] = [
    {
      key: 'name',
      header: 'Name',
      value: ({ name }) => name,
      render: ({ id, name }) => (
        <Anchor component={Link} to={account.link(`/lists/${id}`)} fw={500} inherit>
          {name}
        </Anchor>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      value: ({ status }) => status,
      render: (list) => <ListStatus list={list} />,
    },
    {
      key: 'total',
      header: 'Addresses',
      value: ({ total }) => total,
      render: ({ total }) => formatNumber(total),
      align: 'right',
    },
    { key: 'mode', header: 'Mode', value: ({ mode }) => (mode === 'enhanced' ? 'Enhanced' : 'Standard') },
    {
      key: 'credits',
      header: 'Credits',
      value: ({ charged }) => charged.credits,
      render: ({ charged }) => formatNumber(charged.credits),
      align: 'right',
    },
    {
      key: 'created',
      header: 'Created',
      value: ({ created_at }) => created_at,
      render: (list) => <When at={list.created_at} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      value: () => null,
      actions: true,
      render: (list) =>
        account.can('member') && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete ${list.name}`}
            disabled={list.status === 'processing'}
            onClick={() => setDeleting(list)}
          >
            <Icon name="bin" size={16} />
          </ActionIcon>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label="Lists"
        columns={columns}
        rows={lists}
        rowKey={({ id }) => id}
        csvName="lists"
        empty={
          <EmptyState icon="lists" title="No lists yet">
            {account.can('member')
              ? 'Choose a file above. You see what is in it and what it costs before anything is sent.'
              : 'Members of this account can check files of addresses here.'}
          </EmptyState>
        }
      />
      <ConfirmDialog
        question={
          deleting && {
            title: `Delete ${deleting.name}?`,
            children: 'Its results are gone at once. What was paid for them is not refunded.',
            confirm: 'Delete',
            destructive: true,
            onConfirm: () => remove(deleting),
          }
        }
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

/** A word, and how far it is. */
function ListStatus({ list }: { list: List }) {
  const { status, done, total } = list;
  if (status === 'completed') {
    return <WithIcon icon="check">Completed</WithIcon>;
  }
  const share = total === 0 ? 0 : done / total;
  return (
    <Group gap="xs" wrap="nowrap" display="inline-flex">
      <Text component="span" size="sm" className="mv-number">
        {status === 'uploading' ? 'Not all sent' : formatShare(share)}
      </Text>
      <Progress value={share * 100} w={80} size="sm" aria-label={`${Math.floor(share * 100)}% done`} />
    </Group>
  );
}
