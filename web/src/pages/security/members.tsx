import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Invitation, LinkToPassOn, Member, Members, NewMember, Role } from '../../api/types';
import { hasRole, useAccount, useMe } from '../../app/session';
import { useConfirm } from '../../components/confirm';
import { DataTable, type Column } from '../../components/data-table';
import { Icon } from '../../components/icons';
import { Section } from '../../components/page';
import { EmptyState, Lines, Loaded } from '../../components/states';
import { toastDone, toastFailure } from '../../components/toast';
import { When } from '../../components/when';
import { WithIcon } from '../../components/with-icon';
import { InviteDialog } from './invite-dialog';
import { Invitations } from './invitations';
import { LinkDialog, type MadeLink } from './link-dialog';
import { ROLES } from './roles';

export function Members() {
  const account = useAccount();
  const client = useQueryClient();
  const me = useMe().data?.user.id;
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<MadeLink | null>(null);
  const { ask, dialog } = useConfirm();
  const key = account.key('members');
  const members = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<Members>(account.path('/members'), { signal }),
  });
  const reload = () => client.invalidateQueries({ queryKey: key });
  const change = (member: Member, role: Role) => {
    const becomes = role === 'owner' ? 'an owner' : `a ${role}`;
    const isMore = !hasRole(member.role, role);
    ask({
      title: `Make ${member.email} ${becomes}?`,
      confirm: 'Change the role',
      destructive: !isMore,
      children: (
        <Text size="sm">
          {isMore
            ? 'With more rights, this person signs in again in every browser.'
            : `${member.user_id === me ? 'You lose' : 'This person loses'} what only the role ${member.role} may do.`}
        </Text>
      ),
      onConfirm: async () => {
        await api.patch(account.path(`/members/${member.user_id}`), { role });
        toastDone(`${member.email} is ${becomes} now${isMore ? ', and signs in again' : ''}.`);
        await Promise.all([reload(), client.invalidateQueries({ queryKey: ['me'] })]);
      },
    });
  };
  const newLink = useMutation({
    mutationFn: (member: Member) => api.post<LinkToPassOn>(account.path(`/members/${member.user_id}/link`)),
    onSuccess: (answer, { email }) => setLink({ email, link: answer.link, known: false }),
    onError: toastFailure,
  });
  const inviteAgain = useMutation({
    mutationFn: ({ email, role }: Invitation) => api.post<NewMember>(account.path('/members'), { email, role }),
    onSuccess: setLink,
    onError: toastFailure,
    onSettled: reload,
  });
  const remove = (member: Member) =>
    ask({
      title: `Remove ${member.email}?`,
      confirm: 'Remove',
      children: (
        <Text size="sm">
          {member.user_id === me ? 'You lose' : 'This person loses'} access to {account.name} at once. Keys that were
          created go on working.
        </Text>
      ),
      onConfirm: async () => {
        await api.delete(account.path(`/members/${member.user_id}`));
        toastDone(`${member.email} is no longer a member.`);
        await Promise.all([reload(), client.invalidateQueries({ queryKey: ['me'] })]);
      },
    });
  const owner = account.can('owner');

  const columns: Column<Member>[] = [
    {
      key: 'name',
      header: 'Person',
      value: ({ name, email }) => `${name ?? ''} ${email}`.trim(),
      render: ({ user_id, name, email, invited }) => (
        <span>
          <Text size="sm" fw={500} component="span">
            {name || email}
            {user_id === me && (
              <Text span c="dimmed" fw={400}>
                {' '}
                (you)
              </Text>
            )}
          </Text>
          {name && (
            <Text size="xs" c="dimmed">
              {email}
            </Text>
          )}
          {invited && (
            <Badge variant="default" size="sm" tt="none" fw={500} ml={name ? 0 : 8}>
              Invited
            </Badge>
          )}
        </span>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      value: ({ role }) => role,
      render: (member) =>
        owner ? (
          <NativeSelect
            aria-label={`Role of ${member.email}`}
            size="xs"
            w={130}
            value={member.role}
            onChange={(event) => change(member, event.currentTarget.value as Role)}
            data={ROLES.map(({ value, label }) => ({ value, label }))}
          />
        ) : (
          ROLES.find(({ value }) => value === member.role)?.label
        ),
    },
    {
      key: 'totp',
      header: 'Second step',
      value: ({ totp }) => (totp ? 'on' : 'off'),
      render: ({ totp }) => (
        <WithIcon
          icon={totp ? 'check' : 'cross'}
          color={totp ? 'var(--mv-verdict-valid)' : 'var(--mv-verdict-unknown)'}
        >
          {totp ? 'On' : 'Off'}
        </WithIcon>
      ),
    },
    {
      key: 'seen',
      header: 'Last signed in',
      value: ({ last_signed_in_at }) => last_signed_in_at,
      render: ({ last_signed_in_at }) => <When at={last_signed_in_at} as="ago" none="never" />,
    },
    ...(owner
      ? [
          {
            key: 'actions',
            header: '',
            actions: true,
            value: () => null,
            render: (member: Member) => (
              <Group gap={4} wrap="nowrap" justify="flex-end">
                {member.invited && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`New link for ${member.email}`}
                    onClick={() => newLink.mutate(member)}
                  >
                    New link
                  </Button>
                )}
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={`Remove ${member.email}`}
                  onClick={() => remove(member)}
                >
                  Remove
                </Button>
              </Group>
            ),
          } satisfies Column<Member>,
        ]
      : []),
  ];
  const invite = owner && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
      Invite
    </Button>
  );
  return (
    <Stack gap="lg">
      <Section title="Members" actions={invite} flush>
        <Loaded
          query={members}
          skeleton={
            <Stack p="lg">
              <Lines count={4} height={28} />
            </Stack>
          }
        >
          {({ members: rows }) => (
            <DataTable
              label="Members"
              columns={columns}
              rows={rows}
              rowKey={({ user_id }) => user_id}
              csvName="members"
              empty={<EmptyState icon="team" title="Nobody yet" action={invite} />}
            />
          )}
        </Loaded>
      </Section>
      {members.data && members.data.invitations.length > 0 && (
        <Invitations
          invitations={members.data.invitations}
          onNewLink={(invitation) => inviteAgain.mutate(invitation)}
          onWithdrawn={reload}
        />
      )}
      <Section title="Roles">
        <Stack gap="xs">
          {ROLES.map(({ value, label, may }) => (
            <Text size="sm" key={value}>
              <Text span fw={600}>
                {label}
              </Text>{' '}
              {may}
            </Text>
          ))}
        </Stack>
      </Section>
      <InviteDialog
        opened={inviting}
        onClose={() => setInviting(false)}
        onInvited={(made: NewMember) => {
          setInviting(false);
          void reload();
          setLink(made);
        }}
      />
      <LinkDialog made={link} onClose={() => setLink(null)} />
      {dialog}
    </Stack>
  );
}
