import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { OpenedWebhookDelivery, WebhookDelivery, WebhookEndpoint } from '../../api/types';
import { useAccount } from '../../app/session';
import { CodeBlock } from '../../components/copy';
import { counted } from '../../components/format';
import { Icon } from '../../components/icons';
import { Failure, Loaded } from '../../components/states';
import { toastDone } from '../../components/toast';
import { outcomeOf } from './events';

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: WebhookDelivery | null;
  readonly onClose: () => void;
  readonly onResent: () => void;
}

/** What was sent and answered. Addresses may stand in it: it is read only when somebody opens it. */
export function DeliveryDialog({ endpoint, delivery, onClose, onResent }: Props) {
  const account = useAccount();
  const path = account.path(`/webhooks/${endpoint.id}/deliveries/${delivery?.id}`);
  const opened = useQuery({
    queryKey: account.key('webhook-delivery', delivery?.id ?? ''),
    queryFn: ({ signal }) => api.get<OpenedWebhookDelivery>(path, { signal }),
    enabled: delivery !== null,
    gcTime: 0,
  });
  const resend = useMutation({
    mutationFn: () => api.post<WebhookDelivery>(`${path}/resend`),
    onSuccess: () => {
      toastDone('It is sent again.');
      onResent();
    },
  });
  const mayResend = account.can('developer') && endpoint.disabled_at === null;
  return (
    <Modal opened={delivery !== null} onClose={onClose} title={`Delivery: ${delivery?.type ?? ''}`} centered size="xl">
      <Loaded query={opened}>
        {(shown) => (
          <Stack>
            <Text size="sm">
              {outcomeOf(shown)}, {counted(shown.attempts, 'attempt')}
              {shown.took_ms !== null && `, the last took ${shown.took_ms} ms`}.
            </Text>
            {shown.body === null ? (
              <Alert color="gray" icon={<Icon name="info" />}>
                What was sent is erased after 7 days.
              </Alert>
            ) : (
              <CodeBlock code={indented(shown.body)} label="What is sent" />
            )}
            {shown.answer !== null && (
              <>
                <Text size="sm" fw={500}>
                  Answer
                </Text>
                <CodeBlock code={shown.answer} label="The answer" />
              </>
            )}
            <Failure error={resend.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              {mayResend && !shown.erased && (
                <Button loading={resend.isPending} onClick={() => resend.mutate()}>
                  Send again
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
