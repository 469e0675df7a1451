import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import type { NewApiKey } from '../../api/types';
import { useAccount } from '../../app/session';
import { Failure } from '../../components/states';
import { formText } from '../../components/form-text';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: NewApiKey) => void;
}

export function CreateKeyDialog({ opened, onClose, onMade }: Props) {
  const account = useAccount();
  const create = useMutation({
    mutationFn: (body: { name: string; mode: string }) => api.post<NewApiKey>(account.path('/keys'), body),
    onSuccess: onMade,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({ name: formText(form, 'name').trim(), mode: formText(form, 'mode') });
  };
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Create an API key" centered>
      <form onSubmit={submit}>
        <Stack>
          <Failure error={create.error} />
          <TextInput
            label="Name"
            name="name"
            description="What uses it, such as “shop” or “newsletter form”."
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
          />
          <Radio.Group name="mode" label="Mode" defaultValue="live">
            <Stack gap="xs" mt={6}>
              <Radio value="live" label="Live" description="Verifies for real, and costs credits." />
              <Radio value="test" label="Test" description="Answers from the sandbox. Free." />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
