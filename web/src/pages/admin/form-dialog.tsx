import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from '../../components/states';
import { formText } from '../../components/form-text';

/** A dialog with a form: what is typed goes to `send`; a failure is shown in the dialog, which stays open. */
export function FormDialog<Answer>({
  opened,
  onClose,
  title,
  submit,
  send,
  onDone,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The word on the button. */
  submit: string;
  send: (form: FormData) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  children: ReactNode;
}) {
  const act = useMutation({ mutationFn: send, onSuccess: onDone });
  const close = () => {
    act.reset();
    onClose();
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    act.mutate(new FormData(event.currentTarget));
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={act.error} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function textOf(form: FormData, name: string): string {
  return formText(form, name).trim();
}
