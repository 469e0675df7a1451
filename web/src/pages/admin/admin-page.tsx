import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { useMe } from '../../app/session';
import { Page } from '../../components/page';
import NotFoundPage from '../not-found/not-found-page';
import { AccountPage } from './account-page';
import { Accounts } from './accounts';
import { QueuesView } from './queues';
import { SystemView } from './system';

const AREAS = new Set(['', 'accounts', 'queues', 'system']);

/** The operator's area. */
export default function AdminPage() {
  const user = useMe().data?.user;
  const navigate = useNavigate();
  const [area = '', id, ...further] = (useParams()['*'] ?? '').replace(/\/$/, '').split('/');
  const isKnown = id === undefined ? AREAS.has(area) : area === 'accounts' && further.length === 0;
  if (!user?.operator || !isKnown) return <NotFoundPage />;
  if (id) return <AccountPage id={id} />;
  const shown = area || 'accounts';
  return (
    <Page
      title="Operation"
      description="What the operator's commands do, for the whole service. The audit log gets a row for each change."
    >
      <Tabs
        value={shown}
        onChange={(tab) => void navigate(tab === 'accounts' ? '/admin' : `/admin/${tab}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label="Operation">
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="queues">Queues</Tabs.Tab>
          <Tabs.Tab value="system">System</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts">
          <Accounts />
        </Tabs.Panel>
        <Tabs.Panel value="queues">
          <QueuesView />
        </Tabs.Panel>
        <Tabs.Panel value="system">
          <SystemView />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
