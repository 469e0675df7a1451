import { Button, Group, Text } from '@mantine/core';
import { api } from '../../api/client';
import type { Invitation } from '../../api/types';
import { useAccount } from '../../app/session';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { Section } from '../../components/page';
import { toastDone } from '../../components/toast';
import { When } from '../../components/when';
import { ROLES } from './roles';

interface Props {
  readonly invitations: readonly Invitation[];
  readonly onNewLink: (invitation: Invitation) => void;
  readonly onWithdrawn: () => Promise<unknown>;
}

/** People with a sign-in who have not opened their link yet. */
export function Invitations({ invitations, onNewLink, onWithdrawn }: Props) {
  const account = useAccount();
  const { ask, dialog } = useConfirm();
  const withdraw = ({ user_id, email }: Invitation) =>
    ask({
      title: `Withdraw the invitation of ${email}?`,
      confirm: 'Withdraw',
      children: <Text size="sm">The link that you passed on does nothing any more.</Text>,
      onConfirm: async () => {
        await api.delete(account.path(`/members/${user_id}/invitation`));
        toastDone(`${email} is no longer invited.`);
        await onWithdrawn();
      },
    });
  const columns: Column<Invitation>[] = [
    { key: 'email', header: 'Person', value: ({ email }) => email },
    {
      key: 'role',
      header: 'Role',
      value: ({ role }) => role,
      render: ({ role }) => ROLES.find(({ value }) => value === role)?.label,
    },
    {
      key: 'until',
      header: 'Link works until',
      value: ({ expires_at }) => expires_at,
      render: ({ expires_at }) => <When at={expires_at} />,
    },
    ...(account.can('owner')
      ? [
          {
            key: 'actions',
            header: '',
            actions: true,
            value: () => null,
            render: (invitation: Invitation) => (
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`New link for ${invitation.email}`}
                  onClick={() => onNewLink(invitation)}
                >
                  New link
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={`Withdraw the invitation of ${invitation.email}`}
                  onClick={() => withdraw(invitation)}
                >
                  Withdraw
                </Button>
              </Group>
            ),
          } satisfies Column<Invitation>,
        ]
      : []),
  ];
  return (
    <Section
      title="Invitations"
      description="People with a sign-in already: they are members once they open their link and join"
      flush
    >
      <DataTable
        label="Invitations"
        columns={columns}
        rows={invitations}
        rowKey={({ user_id }) => user_id}
        csvName="invitations"
        empty={null}
      />
      {dialog}
    </Section>
  );
}
