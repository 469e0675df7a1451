import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, ApiError } from '../../api/client';
import type { SignInAnswer } from '../../api/types';
import { Failure } from '../../components/states';
import { Entrance } from './entrance';
import { SignInFailure } from './sign-in-failure';
import { formText } from '../../components/form-text';

const WORDS: Readonly<Record<string, { readonly title?: string; readonly advice: string }>> = {
  sign_in_failed: {
    title: 'This code does not fit',
    advice: 'A code works once, and for half a minute. Wait for the next one. After five tries you start again.',
  },
  unauthorized: { advice: 'Start again, with your email address and your password.' },
};

/** The second step of a sign-in, for those who have switched it on. */
export function CodeStep({ onSignedIn, onAgain }: { onSignedIn: () => void; onAgain: () => void }) {
  const send = useMutation({
    mutationFn: (code: string) => api.post<SignInAnswer>('/sign-in/code', { code }),
    onSuccess: onSignedIn,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send.mutate(formText(new FormData(event.currentTarget), 'code').trim());
  };
  const words = send.error instanceof ApiError ? WORDS[send.error.code] : undefined;
  return (
    <Entrance
      title="One more step"
      lead="Type the code that your authenticator app shows, or one of your recovery codes."
    >
      <form onSubmit={submit}>
        <Stack>
          {words ? <Failure error={send.error} {...words} /> : <SignInFailure error={send.error} />}
          <TextInput
            label="Authentication code"
            name="code"
            inputMode="text"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            autoFocus
          />
          <Button type="submit" loading={send.isPending} fullWidth>
            Continue
          </Button>
          <Button variant="subtle" color="gray" onClick={onAgain} fullWidth>
            Start again
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
