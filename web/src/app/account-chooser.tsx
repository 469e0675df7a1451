import { Menu, Text, UnstyledButton, Group } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import type { Membership } from '../api/types';
import { Icon } from '../components/icons';

/** The account whose page is shown; who belongs to several chooses here, and stays on the same page. */
export function AccountChooser({
  accounts,
  current,
}: {
  accounts: readonly Membership[];
  current: Membership | undefined;
}) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const name = current?.name ?? 'Choose an account';
  if (accounts.length === 0) return null;
  if (accounts.length === 1 && current) {
    return (
      <Text size="sm" fw={500} truncate maw={280} pl="sm">
        {name}
      </Text>
    );
  }
  const go = (id: string) => {
    const page = /^\/a\/[^/]+\/([^/]+)/.exec(pathname)?.[1] ?? 'overview';
    void navigate(`/a/${id}/${page}`);
  };
  return (
    <Menu position="bottom-start" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton px="sm" py={6} aria-label={`Account: ${name}`} style={{ minWidth: 0 }}>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" fw={500} truncate maw={240}>
              {name}
            </Text>
            <Icon name="chevron" size={16} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Accounts</Menu.Label>
        {accounts.map(({ id, name: accountName, role }) => (
          <Menu.Item
            key={id}
            onClick={() => go(id)}
            leftSection={<Icon name={id === current?.id ? 'check' : 'forward'} size={16} />}
            rightSection={
              <Text size="xs" c="dimmed">
                {role}
              </Text>
            }
          >
            {accountName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
