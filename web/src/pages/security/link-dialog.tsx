import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../components/copy';

/** A one-time link to pass on. A click beside the dialog does not close it. */
export function LinkDialog({
  made,
  onClose,
}: {
  made: { readonly email: string; readonly link: string } | null;
  onClose: () => void;
}) {
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
            Give this link to {made.email}, in a message that nobody else reads. It works once, for 24 hours. Whoever
            opens it chooses the password.
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
