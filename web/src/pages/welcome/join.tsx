import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { api, ApiError } from '../../api/client';
import type { WelcomeAnswer } from '../../api/types';
import { dropHeldLink, holdLink } from '../../app/held-link';
import { isSignedOut, useMe, useSignOut } from '../../app/session';
import { ErrorState, Failure } from '../../components/states';
import { Waiting } from '../../components/waiting';
import { Entrance } from '../sign-in/entrance';

const FOR_ANOTHER = {
  title: 'This link is for somebody else',
  advice: 'It lets in the person with the email that was invited. If that is another email of yours, sign in with it.',
};

/** Behind a one-time link for somebody who has a sign-in already: it lets them in, and nobody else. */
export function Join({ token, link: { account, role, operator } }: { token: string; link: WelcomeAnswer }) {
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const signOut = useSignOut();
  // It has led here, if there was one.
  useEffect(dropHeldLink, []);
  const join = useMutation({
    mutationFn: () => api.post('/welcome/join', { token }),
    onSuccess: () => {
      client.clear();
      void navigate(account ? `/a/${account.id}/overview` : '/admin', { replace: true });
    },
  });
  const leave = useMutation({
    mutationFn: () => {
      holdLink(token);
      return signOut();
    },
  });
  const signIn = () => {
    holdLink(token);
    void navigate('/sign-in');
  };
  const isForAnother = join.error instanceof ApiError && join.error.status === 403;
  return (
    <Entrance
      title={account ? `Join ${account.name}` : 'Become an operator'}
      lead={
        account
          ? `You are invited as ${role === 'owner' ? 'an owner' : `a ${role}`}${operator ? ', and as an operator of this service' : ''}.`
          : 'You are invited as an operator of this service.'
      }
    >
      {me.data ? (
        <Stack>
          <Failure error={join.error} {...(isForAnother ? FOR_ANOTHER : {})} />
          <Text size="sm">
            You are signed in as{' '}
            <Text span fw={600}>
              {me.data.user.email}
            </Text>
            . Your other browsers are signed out when you join.
          </Text>
          {!isForAnother && (
            <Button loading={join.isPending} onClick={() => join.mutate()} fullWidth>
              Join
            </Button>
          )}
          <Button variant="subtle" color="gray" loading={leave.isPending} onClick={() => leave.mutate()} fullWidth>
            Sign in as somebody else
          </Button>
        </Stack>
      ) : isSignedOut(me.error) ? (
        <Stack>
          <Text size="sm">
            You have a sign-in here already. Sign in with the email that was invited: you come back to this page, and
            join.
          </Text>
          <Button onClick={signIn} fullWidth>
            Sign in
          </Button>
        </Stack>
      ) : me.error ? (
        <ErrorState error={me.error} retry={() => void me.refetch()} />
      ) : (
        <Waiting h="120px" />
      )}
    </Entrance>
  );
}
