import { Alert, Anchor, Badge, Box, Button, Divider, Group, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../api/client';
import type { Mode, Options, VerifyAnswer, VerifyResult } from '../../api/types';
import { useAccount } from '../../app/session';
import { CodeBlock } from '../../components/copy';
import { counted, formatNumber, humanise } from '../../components/format';
import { Icon, type IconName } from '../../components/icons';
import { Section } from '../../components/page';
import { VerdictBadge } from '../../components/verdict';
import { When } from '../../components/when';
import { DomainCard } from '../domains/domain-card';
import { Signal } from './signal';

const DECISIONS: Readonly<Record<string, { word: string; icon: IconName; color: string }>> = {
  allow: { word: 'Allow', icon: 'check', color: 'var(--mv-verdict-valid)' },
  review: { word: 'Review', icon: 'question', color: 'var(--mv-verdict-role)' },
  deny: { word: 'Deny', icon: 'cross', color: 'var(--mv-verdict-invalid)' },
};

export function ResultView({
  answer,
  mode,
  onAgain,
}: {
  answer: VerifyAnswer;
  mode: Mode;
  /** Verifies this address, or another one. */
  onAgain: (email: string) => void;
}) {
  const account = useAccount();
  const { result, explanation, charged, balance } = answer;
  const decision = DECISIONS[result.decision.recommendation] ?? DECISIONS['review']!;
  return (
    <>
      <Section>
        <Stack gap="md">
          <Group justify="space-between" align="flex-start" gap="md">
            <Box style={{ flex: '1 1 20rem' }}>
              <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
                {result.email}
              </Text>
              <Group gap="md" mt={2}>
                <VerdictBadge result={result.result} size="lg" />
                {result.reason && (
                  <Badge variant="default" tt="none" size="lg" fw={500}>
                    {humanise(result.reason)}
                  </Badge>
                )}
              </Group>
            </Box>
            <Group gap="xl">
              <Figure label="Decision">
                <Group gap={6} wrap="nowrap">
                  <Icon name={decision.icon} color={decision.color} />
                  {decision.word}
                </Group>
              </Figure>
              <Figure label="Score">{result.score === null ? '–' : result.score.toFixed(2)}</Figure>
              <Figure label="Deliverable">
                {result.deliverable === null ? 'not proven' : result.deliverable ? 'yes' : 'no'}
              </Figure>
            </Group>
          </Group>
          <Box>
            <Text>{explanation.sentence}</Text>
            <Text c="dimmed" mt={4}>
              {explanation.advice}
            </Text>
          </Box>
          {result.reason === 'verification_pending' && (
            <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => onAgain(result.email)}>
              Verify again
            </Button>
          )}
          {result.suggested_correction && (
            <Alert color="orange" icon={<Icon name="info" />} title={`Did they mean ${result.suggested_correction}?`}>
              <Button size="xs" variant="default" mt={4} onClick={() => onAgain(result.suggested_correction!)}>
                Verify {result.suggested_correction}
              </Button>
            </Alert>
          )}
          <Divider />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" verticalSpacing="sm">
            {signalsOf(result).map((signal) => (
              <Signal key={signal.label} {...signal} />
            ))}
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {chargedWords(charged)} Balance: {formatNumber(balance)} credits. Checked <When at={result.checked_at} />
            {result.freshness === 'fresh' ? '.' : ', found on record.'}
          </Text>
        </Stack>
      </Section>
      {result.domain ? (
        <Section
          title={result.domain.name}
          actions={
            <Button
              component={Link}
              to={account.link(`/domains/${result.domain.name}`)}
              variant="subtle"
              size="compact-sm"
            >
              More about the domain
            </Button>
          }
        >
          <DomainCard domain={result.domain} />
        </Section>
      ) : (
        result.reason !== 'bad_syntax' && (
          <Section title="The domain">
            <Text size="sm" c="dimmed">
              It is being looked at for the first time. Its facts are there in a few seconds:{' '}
              <Anchor component={Link} to={account.link(`/domains/${result.email.split('@').at(-1)}`)} inherit>
                see the domain
              </Anchor>
              .
            </Text>
          </Section>
        )
      )}
      <AsCode result={result} mode={mode} />
    </>
  );
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Box>
      <Text c="dimmed" size="xs">
        {label}
      </Text>
      <Text fw={600} component="div" className="mv-number">
        {children}
      </Text>
    </Box>
  );
}

function chargedWords({ credits, free_verifies }: VerifyAnswer['charged']): string {
  if (credits > 0) return `Cost ${counted(credits, 'credit')}.`;
  if (free_verifies > 0) return `Cost ${counted(free_verifies, 'free verification')}.`;
  return 'Cost nothing.';
}

function signalsOf(result: VerifyResult) {
  return [
    { label: 'Mail host', value: result.mx, detail: result.mx_record, good: true },
    { label: 'Mailbox provider for anybody', value: result.free_email },
    { label: 'Accepts any recipient', value: result.catch_all, good: false },
    { label: 'Throw-away provider', value: result.disposable, good: false },
    { label: 'Shared mailbox (role)', value: result.role, good: false },
    { label: 'Forwarding service', value: result.relay, detail: result.relay_provider },
    { label: 'Parked domain', value: result.parked, good: false },
    {
      label: 'Spam trap',
      value: result.spam_trap,
      detail: result.spam_trap_type === null ? null : humanise(result.spam_trap_type),
      good: false,
    },
    ...(result.smtp_diagnosis === null
      ? []
      : [{ label: 'What the mail host said', value: null, detail: humanise(result.smtp_diagnosis) }]),
  ];
}

function AsCode({ result, mode }: { result: VerifyResult; mode: Mode }) {
  const options = useQuery({
    queryKey: ['options'],
    queryFn: ({ signal }) => api.get<Options>('/options', { signal }),
    staleTime: Infinity,
  });
  const body = JSON.stringify({ email: result.email, mode }).replaceAll("'", String.raw`'\''`);
  const curl = [
    `curl -s ${options.data?.api_url ?? 'https://api.example.com'}/v1/verify/single \\`,
    `  -H 'X-API-Key: YOUR_KEY' -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
  return (
    <Section>
      <Title order={2} mb="sm">
        For programs
      </Title>
      <Tabs defaultValue="json" keepMounted={false}>
        <Tabs.List mb="sm" aria-label="For programs">
          <Tabs.Tab value="json">As JSON</Tabs.Tab>
          <Tabs.Tab value="curl">As curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="json">
          <CodeBlock code={JSON.stringify(result, null, 2)} label="The result as JSON" />
        </Tabs.Panel>
        <Tabs.Panel value="curl">
          <CodeBlock code={curl} label="The same call with curl" />
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}
