import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../components/copy';
import { Icon } from '../../components/icons';

export interface NewSecret {
  readonly url: string;
  readonly secret: string;
  /** An old one goes on being used for a day. */
  readonly rotated: boolean;
}

/** The one time that a secret can be seen. A click beside the dialog does not close it. */
export function NewSecretDialog({ made, onClose }: { made: NewSecret | null; onClose: () => void }) {
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="The endpoint's secret"
      centered
      size="lg"
      closeOnClickOutside={false}
    >
      {made && (
        <Stack>
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
          <Group justify="flex-end">
            <Button onClick={onClose}>I have copied it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
