import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, ApiError } from '../../api/client';
import type { SignInAnswer } from '../../api/types';
import { Entrance } from './entrance';
import { SignInFailure } from './sign-in-failure';
import { formText } from '../../components/form-text';

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
  const wrong = send.error instanceof ApiError && send.error.code === 'sign_in_failed';
  return (
    <Entrance
      title="One more step"
      lead="Type the code that your authenticator app shows, or one of your recovery codes."
    >
      <form onSubmit={submit}>
        <Stack>
          {wrong ? (
            <Alert color="red" title="This code does not fit" role="alert">
              A code works once, and for half a minute. Wait for the next one. After five tries you start again.
            </Alert>
          ) : (
            <SignInFailure error={send.error} />
          )}
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
