import { Alert, Text } from '@mantine/core';
import type { NewApiKey } from '../../api/types';
import { CopyField } from '../../components/copy';
import { ShownOnce } from '../../components/shown-once';
import { formatMoment } from '../../components/format';
import { Icon } from '../../components/icons';

/** The one time that a key can be seen. */
export function NewKeyDialog({ made, onClose }: { made: NewApiKey | null; onClose: () => void }) {
  return (
    <ShownOnce title={`Your new key: ${made?.name ?? ''}`} onClose={onClose}>
      {made && (
        <>
          <CopyField value={made.key} label="New key" />
          <Alert color="orange" icon={<Icon name="warning" />} title="Copy it now">
            It is shown this once. We keep only its fingerprint, so nobody can show it to you again.
          </Alert>
          {made.old_expires_at && (
            <Text size="sm" c="dimmed">
              The old key works until {formatMoment(made.old_expires_at)}.
            </Text>
          )}
        </>
      )}
    </ShownOnce>
  );
}
