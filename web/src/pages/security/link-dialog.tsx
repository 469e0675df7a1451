import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../components/copy';

export interface MadeLink {
  readonly email: string;
  readonly link: string;
  /** The person has a sign-in already. */
  readonly known: boolean;
}

/** A one-time link to pass on. A click beside the dialog does not close it. */
export function LinkDialog({ made, onClose }: { made: MadeLink | null; onClose: () => void }) {
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="A link to pass on"
      centered
      size="lg"
      closeOnClickOutside={false}
    >
      {made && (
        <Stack>
          <Text size="sm">
            Give this link to {made.email}, in a message that nobody else reads. It works once, for 24 hours.{' '}
            {made.known
              ? 'This person has a sign-in already, and is a member once they open it, sign in as before, and join.'
              : 'Whoever opens it chooses the password.'}
          </Text>
          <CopyField value={made.link} label="Link" />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have copied it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
