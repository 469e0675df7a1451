import { ActionIcon, Menu, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Membership, User } from '../api/types';
import { Icon } from '../components/icons';
import { toastFailure } from '../components/toast';
import { useSignOut } from './session';

export function PersonMenu({ user, account }: { user: User; account: Membership | undefined }) {
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="You">
          <Icon name="user" size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} truncate c="var(--mantine-color-text)">
            {user.name || user.email}
          </Text>
          {user.name && (
            <Text size="xs" truncate>
              {user.email}
            </Text>
          )}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to={`${account ? `/a/${account.id}` : ''}/security?tab=you`}
          leftSection={<Icon name="security" size={16} />}
        >
          Password and sessions
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="exit" size={16} />} onClick={() => void signOut().catch(toastFailure)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
