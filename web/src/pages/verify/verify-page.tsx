import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api, ApiError, MAY_BE_DONE } from '../../api/client';
import type { Mode, VerifyAnswer } from '../../api/types';
import { useAccount } from '../../app/session';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { EmptyState, ErrorState, Lines } from '../../components/states';
import { MODES } from './modes';
import { useChargeKey } from './use-charge-key';
import { ResultView } from './result-view';
import { formText } from '../../components/form-text';

export default function VerifyPage() {
  const account = useAccount();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const [mode, setMode] = useState<Mode>('enhanced');
  const asOneCharge = useChargeKey();
  const verify = useMutation({
    mutationFn: (body: { email: string; mode: Mode }) =>
      asOneCharge(JSON.stringify(body), (key) =>
        api.post<VerifyAnswer>(account.path('/verify'), body, { headers: { 'Idempotency-Key': key } }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: account.key('overview') }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = formText(new FormData(event.currentTarget), 'email').trim();
    if (email !== '') verify.mutate({ email, mode });
  };
  const isLost = verify.error instanceof ApiError && verify.error.code === MAY_BE_DONE;
  const mayVerify = account.can('member');

  return (
    <Page title="Verify" description="One address: whether it can receive mail, why, and what to do with it.">
      {!mayVerify && (
        <Alert color="gray" icon={<Icon name="info" />}>
          You can look at everything in this account. Who verifies addresses needs the role of a member.
        </Alert>
      )}
      <Section>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Address"
              name="email"
              placeholder="someone@example.com"
              defaultValue={search.get('email') ?? ''}
              autoComplete="off"
              inputMode="email"
              spellCheck={false}
              required
              withAsterisk={false}
              maxLength={320}
              style={{ flex: '1 1 18rem' }}
            />
            <NativeSelect
              label="Mode"
              value={mode}
              onChange={(event) => setMode(event.currentTarget.value as Mode)}
              data={MODES.map(({ value, label }) => ({ value, label }))}
              style={{ flex: '0 1 12rem' }}
            />
            <Button type="submit" loading={verify.isPending} disabled={!mayVerify}>
              Verify
            </Button>
          </Group>
        </form>
        <Text size="xs" c="dimmed" mt="xs">
          {MODES.find(({ value }) => value === mode)?.what}
        </Text>
      </Section>
      <div aria-live="polite">
        {verify.isPending ? (
          <Section>
            <div role="status" aria-label="The address is being verified">
              <Lines count={6} height={22} />
            </div>
          </Section>
        ) : verify.error ? (
          <Section>
            <ErrorState
              error={verify.error}
              advice={isLost ? 'Verify it again: both tries are one charge.' : undefined}
            />
            {verify.error instanceof ApiError && verify.error.status === 402 && (
              <Text ta="center" size="sm">
                <Anchor component={Link} to={account.link('/credits')} inherit>
                  To the credits
                </Anchor>
              </Text>
            )}
          </Section>
        ) : verify.data ? (
          <Stack gap="lg">
            <ResultView
              answer={verify.data}
              mode={verify.variables.mode}
              onAgain={(email) => verify.mutate({ email, mode })}
            />
          </Stack>
        ) : (
          <Section>
            <EmptyState icon="verify" title="Nothing verified yet">
              Type an address above. No message is ever sent to it: its domain and its mail host are asked.
            </EmptyState>
          </Section>
        )}
      </div>
    </Page>
  );
}
