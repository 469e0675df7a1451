import { Text } from '@mantine/core';
import type { ApiKey } from '../../api/types';
import { formatAgo } from '../../components/format';
import type { IconName } from '../../components/icons';
import { When } from '../../components/when';
import { WithIcon } from '../../components/with-icon';

const LOOKS: Readonly<Record<ApiKey['status'], { word: string; icon: IconName; color: string }>> = {
  active: { word: 'Active', icon: 'check', color: 'var(--mv-verdict-valid)' },
  expiring: { word: 'Expiring', icon: 'clock', color: 'var(--mv-verdict-role)' },
  expired: { word: 'Expired', icon: 'clock', color: 'var(--mv-verdict-unknown)' },
  revoked: { word: 'Revoked', icon: 'cross', color: 'var(--mv-verdict-invalid)' },
};

export function statusWord({ status }: ApiKey): string {
  return LOOKS[status].word;
}

export function KeyStatus({ apiKey }: { apiKey: ApiKey }) {
  const { word, icon, color } = LOOKS[apiKey.status];
  return (
    <span>
      <WithIcon icon={icon} color={color}>
        {word}
      </WithIcon>
      {apiKey.status === 'expiring' && apiKey.expires_at && (
        <Text size="xs" c="dimmed">
          {apiKey.replaced_by ? 'Rotated; ends' : 'Ends'} {formatAgo(apiKey.expires_at)}
        </Text>
      )}
      {apiKey.status === 'revoked' && (
        <Text size="xs" c="dimmed" component="div">
          <When at={apiKey.revoked_at} as="ago" />
        </Text>
      )}
    </span>
  );
}
