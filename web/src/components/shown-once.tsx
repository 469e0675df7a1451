import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** What can be seen this once. Only its button closes it, so that neither Escape nor a click beside it loses it. */
export function ShownOnce({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Null: nothing is to be shown. */
  children: ReactNode;
}) {
  return (
    <Modal
      opened={children !== null}
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
