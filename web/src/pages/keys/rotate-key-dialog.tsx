import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import type { ApiKey, NewApiKey } from '../../api/types';
import { useAccount } from '../../app/session';
import { Failure } from '../../components/states';

const GRACE = [
  { label: 'at once', value: '0' },
  { label: '1 hour', value: '3600' },
  { label: '24 hours', value: '86400' },
  { label: '7 days', value: '604800' },
  { label: '30 days', value: '2592000' },
];

interface Props {
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onMade: (made: NewApiKey) => void;
}

export function RotateKeyDialog({ apiKey, onClose, onMade }: Props) {
  const account = useAccount();
  const rotate = useMutation({
    mutationFn: (grace_seconds: number) =>
      api.post<NewApiKey>(account.path(`/keys/${apiKey!.id}/rotate`), { grace_seconds }),
    onSuccess: onMade,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rotate.mutate(Number(new FormData(event.currentTarget).get('grace')));
  };
  const close = () => {
    rotate.reset();
    onClose();
  };
  return (
    <Modal opened={apiKey !== null} onClose={close} title={`Rotate ${apiKey?.name ?? ''}`} centered>
      <form onSubmit={submit}>
        <Stack>
          <Failure error={rotate.error} />
          <Text size="sm">
            You get a new key with the same name and mode. The old one goes on working for a while, so that you can
            change your programs one after another.
          </Text>
          <NativeSelect label="The old key ends" name="grace" data={GRACE} defaultValue="86400" data-autofocus />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              Rotate key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
