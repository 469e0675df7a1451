import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../app/session';
import { Icon } from '../../components/icons';
import { Section } from '../../components/page';
import { TotpOffDialog } from './totp-off-dialog';
import { TotpOnDialog } from './totp-on-dialog';

/** The second step of one's sign-in. */
export function TotpSection() {
  const user = useMe().data?.user;
  const [asked, setAsked] = useState(false);
  if (!user) return null;
  return (
    <Section
      title="Second step at sign-in"
      description="A code from an authenticator app, beside the password: who finds out the password alone cannot get in."
    >
      <Group gap="lg">
        <Group gap={6}>
          <Icon
            name={user.totp ? 'check' : 'cross'}
            color={user.totp ? 'var(--mv-verdict-valid)' : 'var(--mv-verdict-unknown)'}
          />
          <Text fw={500}>{user.totp ? 'Switched on' : 'Switched off'}</Text>
        </Group>
        <Button variant={user.totp ? 'default' : 'filled'} onClick={() => setAsked(true)} disabled={!user.has_password}>
          {user.totp ? 'Switch off' : 'Switch on'}
        </Button>
      </Group>
      {!user.has_password && (
        <Text size="sm" c="dimmed" mt="sm">
          You sign in with single sign-on: a second step is set up there.
        </Text>
      )}
      {user.totp ? (
        <TotpOffDialog opened={asked} onClose={() => setAsked(false)} />
      ) : (
        <TotpOnDialog opened={asked} onClose={() => setAsked(false)} />
      )}
    </Section>
  );
}
