import { Alert, Text } from '@mantine/core';
import { CopyField } from '../../components/copy';
import { ShownOnce } from '../../components/shown-once';
import { Icon } from '../../components/icons';

export interface NewSecret {
  readonly url: string;
  readonly secret: string;
  /** An old one goes on being used for a day. */
  readonly rotated: boolean;
}

/** The one time that a secret can be seen. */
export function NewSecretDialog({ made, onClose }: { made: NewSecret | null; onClose: () => void }) {
  return (
    <ShownOnce title="The endpoint's secret" onClose={onClose}>
      {made && (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Your program at {made.url} verifies signatures with it.
          </Text>
          <CopyField value={made.secret} label="New secret" />
          <Alert color="orange" icon={<Icon name="warning" />} title="Copy it now">
            It is shown this once.
          </Alert>
          {made.rotated && (
            <Text size="sm" c="dimmed">
              For 24 hours every delivery carries two signatures: one of the old secret, one of this.
            </Text>
          )}
        </>
      )}
    </ShownOnce>
  );
}
