import type { List } from '../api/types';
import { Button, Skeleton } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useAccount } from '../app/session';
import { counted } from '../components/format';
import { Icon } from '../components/icons';
import { Page } from '../components/page';
import { ErrorState } from '../components/states';
import { When } from '../components/when';
import { ListProgress } from './list-progress';
import { ListResults } from './list-results';
import { useList } from './use-list';

/** One list: on its way, or with its results. */
export function ListPage() {
  const { list: id = '' } = useParams();
  const query = useList(id);
  const list = query.data;
  if (!list) {
    return (
      <Page title="List" actions={<BackLink />}>
        {query.error ? (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={240} radius="md" />
        )}
      </Page>
    );
  }
  return (
    <Page title={list.name} description={<Facts list={list} />} actions={<BackLink />}>
      {list.status === 'completed' ? <ListResults list={list} /> : <ListProgress list={list} />}
    </Page>
  );
}

function BackLink() {
  const account = useAccount();
  return (
    <Button
      component={Link}
      to={account.link('/lists')}
      variant="default"
      leftSection={<Icon name="lists" size={16} />}
    >
      All lists
    </Button>
  );
}

function Facts({ list }: { list: List }) {
  const { credits, free_verifies } = list.charged;
  return (
    <>
      {counted(list.total, 'address', 'addresses')}, {list.mode === 'enhanced' ? 'enhanced' : 'standard'} mode,{' '}
      {credits > 0 || free_verifies === 0 ? counted(credits, 'credit') : ''}
      {credits > 0 && free_verifies > 0 ? ' and ' : ''}
      {free_verifies > 0 ? counted(free_verifies, 'free verify', 'free verifies') : ''}. Started{' '}
      <When at={list.created_at} />; results are kept until <When at={list.expires_at} />.
    </>
  );
}
