import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { api, ApiError } from '../../api/client';
import type { SignInAnswer, WelcomeAnswer } from '../../api/types';
import { ME } from '../../app/query-client';
import { Failure } from '../../components/states';
import { Waiting } from '../../components/waiting';
import { CodeStep } from '../sign-in/code-step';
import { Entrance } from '../sign-in/entrance';
import { Join } from './join';
import { passwordFault } from './password-fault';
import { formText } from '../../components/form-text';

/** Behind the one-time link: whoever was invited, or has lost the password, chooses one. */
export default function WelcomePage() {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? '';
  const navigate = useNavigate();
  const client = useQueryClient();
  const [codeWanted, setCodeWanted] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const link = useQuery({
    queryKey: ['welcome', token],
    queryFn: () => api.post<WelcomeAnswer>('/welcome/read', { token }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  const enter = () => {
    client.removeQueries({ queryKey: ME });
    void navigate('/', { replace: true });
  };
  const choose = useMutation({
    mutationFn: (body: { password: string; name?: string }) => api.post<SignInAnswer>('/welcome', { token, ...body }),
    onSuccess: ({ status }) => (status === 'code_required' ? setCodeWanted(true) : enter()),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = formText(form, 'password');
    const found = passwordFault(password, formText(form, 'repeated'));
    setFault(found);
    const name = formText(form, 'name').trim();
    if (found === null) choose.mutate({ password, ...(name === '' ? {} : { name }) });
  };

  if (codeWanted) return <CodeStep onSignedIn={enter} onAgain={() => void navigate('/sign-in')} />;
  if (token === '' || link.error) {
    const spent = token === '' || (link.error instanceof ApiError && link.error.status === 404);
    return (
      <Entrance title="This link does not work">
        <Stack>
          {spent ? (
            <Alert color="red" role="alert" title="It was used or withdrawn, or is older than 24 hours">
              Ask whoever gave it to you for a new one.
            </Alert>
          ) : (
            <Failure error={link.error} />
          )}
          <Anchor component={Link} to="/sign-in">
            Sign in
          </Anchor>
        </Stack>
      </Entrance>
    );
  }
  if (!link.data) {
    return (
      <Entrance title="Welcome">
        <Waiting h="120px" />
      </Entrance>
    );
  }
  const { email, name, account, kind } = link.data;
  if (kind === 'membership') return <Join token={token} link={link.data} />;
  const invited = kind === 'invitation';
  return (
    <Entrance
      title={invited ? 'Welcome' : 'A new password'}
      lead={
        invited && account ? `You are invited to ${account.name}. Choose a password for ${email}.` : `For ${email}.`
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <Failure error={choose.error} />
          <input type="hidden" name="username" autoComplete="username" value={email ?? ''} readOnly />
          {invited && (
            <TextInput label="Your name" name="name" autoComplete="name" defaultValue={name ?? ''} maxLength={100} />
          )}
          <TextInput
            label="New password"
            name="password"
            type="password"
            autoComplete="new-password"
            description="At least 12 characters. A sentence is easier to keep in mind than a word with digits."
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
          <Button type="submit" loading={choose.isPending} fullWidth>
            Set password
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
