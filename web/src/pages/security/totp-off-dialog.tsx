import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import { Failure } from '../../components/states';
import { toastDone } from '../../components/toast';
import { formText } from '../../components/form-text';

export function TotpOffDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const off = useMutation({
    mutationFn: (body: { password: string; code: string }) => api.delete('/me/totp', body),
    onSuccess: () => {
      toastDone('The second step is switched off.');
      onClose();
      void client.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    off.mutate({ password: formText(form, 'password'), code: formText(form, 'code').trim() });
  };
  const close = () => {
    off.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Switch off the second step" centered>
      <form onSubmit={submit}>
        <Stack>
          <Failure error={off.error} />
          <TextInput
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
          />
          <TextInput
            label="Authentication code"
            name="code"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red.9" loading={off.isPending}>
              Switch off
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
