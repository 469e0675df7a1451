import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../api/client';
import type { DomainAnswer } from '../../api/types';
import { useAccount } from '../../app/session';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { EmptyState, Loaded } from '../../components/states';
import { toastFailure } from '../../components/toast';
import { When } from '../../components/when';
import { DomainCard } from './domain-card';
import { asDomain } from './as-domain';
import { ScoreParts } from './score-parts';
import { formText } from '../../components/form-text';

export default function DomainsPage() {
  const account = useAccount();
  const navigate = useNavigate();
  const domain = useParams()['*'] ?? '';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = asDomain(formText(new FormData(event.currentTarget), 'domain'));
    if (wanted) void navigate(account.link(`/domains/${encodeURIComponent(wanted)}`));
  };
  return (
    <Page
      title="Domains"
      description="How well a domain is set up to receive and send mail, and what would make it better."
    >
      <Section>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              key={domain}
              label="Domain"
              name="domain"
              placeholder="example.com"
              defaultValue={domain}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
              maxLength={320}
              style={{ flex: '1 1 18rem' }}
            />
            <Button type="submit">Look up</Button>
          </Group>
        </form>
      </Section>
      {domain === '' ? (
        <Section>
          <EmptyState icon="domains" title="Which domain?">
            Type a domain, or an address of it, to see its records, its score, and what would raise it.
          </EmptyState>
        </Section>
      ) : (
        <OneDomain key={domain} domain={domain} />
      )}
    </Page>
  );
}

function OneDomain({ domain }: { domain: string }) {
  const account = useAccount();
  const client = useQueryClient();
  const key = account.key('domain', domain);
  const path = account.path(`/domains/${encodeURIComponent(domain)}`);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<DomainAnswer>(path, { signal }),
    refetchInterval: ({ state }) => (state.data?.crawling ? 2000 : false),
  });
  const crawl = useMutation({
    mutationFn: () => api.post<DomainAnswer>(`${path}/crawl`),
    onSuccess: (answer) => client.setQueryData(key, answer),
    onError: toastFailure,
  });
  const button = account.can('member') && (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size={16} />}
      onClick={() => crawl.mutate()}
      loading={crawl.isPending || query.data?.crawling === true}
    >
      Crawl now
    </Button>
  );
  return (
    <Loaded query={query} skeleton={<Skeleton height={320} radius="md" />}>
      {({ domain: found, score_parts, crawled_at, crawling, accept_all }) =>
        found === null || crawled_at === null ? (
          <Section>
            <EmptyState
              icon="clock"
              title={crawling ? `${domain} is being looked at` : `Nobody has asked for ${domain} yet`}
              action={!crawling && button}
            >
              {crawling
                ? 'Its records are there in a few seconds; this page shows them as soon as they are.'
                : 'A crawl looks up its mail hosts and records. It takes a few seconds.'}
            </EmptyState>
          </Section>
        ) : (
          <Stack gap="lg">
            <Section
              title={found.name}
              description={
                <>
                  Crawled <When at={crawled_at} as="ago" />
                </>
              }
              actions={button}
            >
              {accept_all && (
                <Alert color="orange" icon={<Icon name="info" />} mb="md" title="Its mail host accepts any recipient">
                  A mailbox of this domain cannot be proven: such addresses are called catch-all.
                </Alert>
              )}
              <DomainCard domain={found} />
            </Section>
            <Section title="The score, part by part" description="What a fact gives, of what it could give">
              {score_parts.length === 0 ? (
                <Text c="dimmed" size="sm">
                  The score is known once the mail hosts, SPF and DMARC are.
                </Text>
              ) : (
                <ScoreParts parts={score_parts} />
              )}
            </Section>
          </Stack>
        )
      }
    </Loaded>
  );
}
