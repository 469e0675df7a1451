import { Text } from '@mantine/core';
import type { WebhookEndpoint } from '../../api/types';
import { formatAgo } from '../../components/format';
import type { IconName } from '../../components/icons';
import { WithIcon } from '../../components/with-icon';

const WHY_OFF: Readonly<Record<string, string>> = {
  gone: 'The receiver answered 410: it is gone',
  failing: 'Nothing arrived for five days',
};

export function endpointStatus({ disabled_at, failing_since }: WebhookEndpoint): string {
  return disabled_at !== null ? 'Off' : failing_since !== null ? 'Failing' : 'On';
}

const LOOKS: Readonly<Record<string, { icon: IconName; color: string }>> = {
  On: { icon: 'check', color: 'var(--mv-verdict-valid)' },
  Failing: { icon: 'warning', color: 'var(--mv-verdict-role)' },
  Off: { icon: 'cross', color: 'var(--mv-verdict-unknown)' },
};

export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_at, disabled_by, failing_since } = endpoint;
  const word = endpointStatus(endpoint);
  const { icon, color } = LOOKS[word]!;
  const why = disabled_at !== null ? WHY_OFF[disabled_by ?? ''] : failing_since && `since ${formatAgo(failing_since)}`;
  return (
    <span>
      <WithIcon icon={icon} color={color}>
        {word}
      </WithIcon>
      {why && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
    </span>
  );
}
