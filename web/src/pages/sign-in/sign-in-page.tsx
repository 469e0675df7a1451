import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../api/client';
import type { Options, SignInAnswer } from '../../api/types';
import { ME } from '../../app/query-client';
import { CodeStep } from './code-step';
import { Entrance } from './entrance';
import { nextPath } from './next-path';
import { SignInFailure } from './sign-in-failure';
import { formText } from '../../components/form-text';

/** What the address says after a sign-in at the organisation's provider that led nowhere. */
const REFUSALS: Readonly<Record<string, string>> = {
  failed: 'Try again. If it does not help, tell whoever runs this service.',
  unknown: 'Nobody has been invited here with your email address. Ask an owner of the account.',
  too_many: 'Too many sign-ins from your network have failed. Try again in an hour.',
  unavailable: 'The provider, or a part of this service, does not answer. Try again in a minute.',
  unverified: 'The provider has not verified your email address yet. Verify it there, then try again.',
};

export default function SignInPage() {
  const [search] = useSearchParams();
  const [codeWanted, setCodeWanted] = useState(false);
  const navigate = useNavigate();
  const { hash } = useLocation();
  const client = useQueryClient();
  const options = useQuery({
    queryKey: ['options'],
    queryFn: ({ signal }) => api.get<Options>('/options', { signal }),
    staleTime: Infinity,
  });
  const enter = () => {
    client.removeQueries({ queryKey: ME });
    void navigate(nextPath(search.get('next')), { replace: true });
  };
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => api.post<SignInAnswer>('/sign-in', body),
    onSuccess: ({ status }) => (status === 'code_required' ? setCodeWanted(true) : enter()),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: formText(form, 'email').trim(), password: formText(form, 'password') });
  };

  if (codeWanted) return <CodeStep onSignedIn={enter} onAgain={() => setCodeWanted(false)} />;
  const refused = new URLSearchParams(hash.slice(1)).get('oidc');
  return (
    <Entrance title="Sign in" lead="to the account console">
      <Stack>
        {refused && !signIn.error && (
          <Alert color="red" title="Signing in with single sign-on did not work">
            {REFUSALS[refused] ?? REFUSALS['failed']}
          </Alert>
        )}
        <SignInFailure error={signIn.error} />
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
            />
            <TextInput
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
              Sign in
            </Button>
          </Stack>
        </form>
        {options.data?.oidc && (
          <>
            <Divider label="or" />
            <Button component="a" href="/sign-in/oidc" variant="default" fullWidth>
              Single sign-on
            </Button>
          </>
        )}
      </Stack>
    </Entrance>
  );
}
