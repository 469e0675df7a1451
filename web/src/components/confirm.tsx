import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Failure } from './states';

interface Question {
  readonly title: string;
  readonly children: ReactNode;
  /** The word on the button: what will be done. */
  readonly confirm: string;
  readonly destructive?: boolean;
  /** A failure is shown in the dialog, which stays open. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({ question, onClose }: { question: Question | null; onClose: () => void }) {
  const act = useMutation({ mutationFn: () => question!.onConfirm(), onSuccess: onClose });
  const close = () => {
    act.reset();
    onClose();
  };
  return (
    <Modal opened={question !== null} onClose={close} title={question?.title} centered>
      <Stack>
        <div>{question?.children}</div>
        <Failure error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color={question?.destructive === false ? undefined : 'red.9'}
            loading={act.isPending}
            onClick={() => act.mutate()}
          >
            {question?.confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** `const { ask, dialog } = useConfirm()`: put `dialog` anywhere, call `ask` from a button. */
export function useConfirm() {
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    ask: setQuestion,
    dialog: <ConfirmDialog question={question} onClose={() => setQuestion(null)} />,
  };
}
