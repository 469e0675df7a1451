import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { api, ApiError } from '../../api/client';
import { useMe } from '../../app/session';
import { Section } from '../../components/page';
import { Failure } from '../../components/states';
import { toastDone } from '../../components/toast';
import { passwordFault } from '../welcome/password-fault';
import { formText } from '../../components/form-text';

const WRONG_PASSWORD = { title: 'The current password is not this one', advice: 'Check it, then try again.' };

export function PasswordSection() {
  const user = useMe().data?.user;
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) => api.post('/me/password', body),
    onSuccess: () => {
      form.current?.reset();
      toastDone('Your password is changed. Your other sessions have ended.');
      void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const next = formText(data, 'next');
    const found = passwordFault(next, formText(data, 'repeated'));
    setFault(found);
    if (found === null) change.mutate({ current_password: formText(data, 'current'), new_password: next });
  };
  if (!user?.has_password) {
    return (
      <Section title="Password">
        <Text size="sm" c="dimmed">
          You sign in with single sign-on, and have no password here.
        </Text>
      </Section>
    );
  }
  const wrong = change.error instanceof ApiError && ['wrong_password', 'sign_in_failed'].includes(change.error.code);
  return (
    <Section title="Password" description="A change ends your other sessions.">
      <form onSubmit={submit} ref={form}>
        <Stack maw={400}>
          <Failure error={change.error} {...(wrong ? WRONG_PASSWORD : {})} />
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <TextInput
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <TextInput
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            description="At least 12 characters."
            required
            withAsterisk={false}
            minLength={12}
            maxLength={200}
          />
          <TextInput
            label="Repeat password"
            name="repeated"
            type="password"
            autoComplete="new-password"
            required
            withAsterisk={false}
            error={fault}
          />
          <div>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
