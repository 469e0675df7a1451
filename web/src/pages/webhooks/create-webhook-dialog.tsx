import { Button, Checkbox, Code, Group, Modal, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../api/client';
import type { NewWebhookEndpoint } from '../../api/types';
import { useAccount } from '../../app/session';
import { formText } from '../../components/form-text';
import { Failure } from '../../components/states';
import { EVENTS } from './events';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: NewWebhookEndpoint) => void;
}

export function CreateWebhookDialog({ opened, onClose, onMade }: Props) {
  const account = useAccount();
  const [events, setEvents] = useState<string[]>(['job.completed']);
  const [low, setLow] = useState<number | string>(1000);
  const create = useMutation({
    mutationFn: (body: object) => api.post<NewWebhookEndpoint>(account.path('/webhooks'), body),
    onSuccess: onMade,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      url: formText(form, 'url').trim(),
      mode: formText(form, 'mode'),
      events,
      low: events.includes('credits.low') ? Number(low) : null,
    });
  };
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Add an endpoint" centered size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Failure error={create.error} />
          <TextInput
            label="URL"
            name="url"
            type="url"
            description="Where your program takes events. It begins with https://"
            placeholder="https://shop.example.com/mailvet"
            required
            withAsterisk={false}
            maxLength={2048}
            data-autofocus
          />
          <Checkbox.Group label="Events" value={events} onChange={setEvents}>
            <Stack gap="xs" mt={6}>
              {EVENTS.map(({ type, label, what }) => (
                <Checkbox key={type} value={type} label={label} description={<Code>{what}</Code>} />
              ))}
            </Stack>
          </Checkbox.Group>
          {events.includes('credits.low') && (
            <NumberInput
              label="Credits are low under"
              value={low}
              onChange={setLow}
              min={1}
              max={1_000_000_000_000}
              allowDecimal={false}
              thousandSeparator=","
              required
              withAsterisk={false}
            />
          )}
          <Radio.Group name="mode" label="Mode" defaultValue="live">
            <Stack gap="xs" mt={6}>
              <Radio value="live" label="Live" description="Events of live keys, of the console and of the account." />
              <Radio value="test" label="Test" description="Events of test keys, which the sandbox makes." />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={events.length === 0}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
