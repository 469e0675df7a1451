import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import type { NewMember } from '../../api/types';
import { useAccount } from '../../app/session';
import { Failure } from '../../components/states';
import { ROLES } from './roles';
import { formText } from '../../components/form-text';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onInvited: (member: NewMember) => void;
}

export function InviteDialog({ opened, onClose, onInvited }: Props) {
  const account = useAccount();
  const invite = useMutation({
    mutationFn: (body: { email: string; role: string }) => api.post<NewMember>(account.path('/members'), body),
    onSuccess: onInvited,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: formText(form, 'email').trim(), role: formText(form, 'role') });
  };
  const close = () => {
    invite.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={`Invite somebody to ${account.name}`} centered>
      <form onSubmit={submit}>
        <Stack>
          <Failure error={invite.error} />
          <TextInput
            label="Email"
            name="email"
            type="email"
            description="No mail is sent: you get a link to pass on."
            required
            withAsterisk={false}
            data-autofocus
          />
          <NativeSelect
            label="Role"
            name="role"
            defaultValue="member"
            data={ROLES.map(({ value, label }) => ({ value, label }))}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Invite
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
