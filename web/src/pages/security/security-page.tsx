import { Stack, Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useOptionalAccount } from '../../app/session';
import { Page } from '../../components/page';
import { Audit } from './audit';
import { Members } from './members';
import { PasswordSection } from './password-section';
import { Sessions } from './sessions';
import { TotpSection } from './totp-section';

/** The account's people, and one's own sign-in; who belongs to no account has the latter alone. */
export default function SecurityPage() {
  const account = useOptionalAccount();
  const [search, setSearch] = useSearchParams();
  const own = (
    <Stack gap="lg">
      <PasswordSection />
      <TotpSection />
      <Sessions />
    </Stack>
  );
  if (!account) return <Page title="Team and security">{own}</Page>;
  const tabs = ['team', 'you', ...(account.can('owner') ? ['audit'] : [])];
  const shown = tabs.find((tab) => tab === search.get('tab')) ?? 'team';
  return (
    <Page title="Team and security" description="Who may do what in this account, and how you sign in.">
      <Tabs
        value={shown}
        onChange={(tab) => setSearch(tab && tab !== 'team' ? { tab } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label="Team and security">
          <Tabs.Tab value="team">Team</Tabs.Tab>
          <Tabs.Tab value="you">Your sign-in</Tabs.Tab>
          {account.can('owner') && <Tabs.Tab value="audit">Audit</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="team">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="you">{own}</Tabs.Panel>
        {account.can('owner') && (
          <Tabs.Panel value="audit">
            <Audit />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  );
}
