import { Box, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import type { List, ListSummary } from '../api/types';
import { useAccount } from '../app/session';
import { formatNumber, formatShare, humanise } from '../components/format';
import { Section } from '../components/page';
import { Loaded } from '../components/states';
import { Stat, Stats, StatSkeletons } from '../components/stat';
import { Bars } from './bars';
import { DownloadPanel } from './download-panel';
import { PROVIDER_NAMES } from './provider-names';
import { REASON_NAMES } from './reason-names';
import { ResultsTable } from './results-table';
import { useEntryResults } from './use-entry-results';
import { VerdictDonut } from './verdict-donut';

/** What came out: the mix of verdicts, why, the grade, the file to take home, and each address. */
export function ListResults({ list }: { list: List }) {
  const account = useAccount();
  const summary = useQuery({
    queryKey: account.key('list-summary', list.id),
    queryFn: ({ signal }) => api.get<ListSummary>(account.path(`/lists/${list.id}/summary`), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const results = useEntryResults(list);
  return (
    <>
      <Loaded query={summary} skeleton={<SummarySkeleton />}>
        {(data) => <Summary summary={data} />}
      </Loaded>
      <Section title="Download" description="Your file, with the verdicts as columns behind your own.">
        <DownloadPanel list={list} results={results.data ?? null} />
      </Section>
      <Section title="Addresses" flush>
        <Loaded query={results} skeleton={<LoadingResults loaded={results.loaded} total={list.total} />}>
          {(columns) => <ResultsTable results={columns} name={list.name} />}
        </Loaded>
      </Section>
    </>
  );
}

function Summary({ summary }: { summary: ListSummary }) {
  const { total, deliverable, decisions, grade, verdicts, reasons } = summary;
  // To the API an entry that is no address is an error; to a person it is invalid.
  const malformed = reasons.find(({ reason }) => reason === 'invalid_email')?.count ?? 0;
  return (
    <>
      <Stats>
        <Stat
          label="Deliverable"
          value={formatShare(total === 0 ? null : deliverable / total)}
          note={`${formatNumber(deliverable)} of ${formatNumber(total)} addresses`}
        />
        <Stat label="To review" value={formatNumber(decisions.review)} note="Not proven either way" />
        <Stat label="Not to use" value={formatNumber(decisions.deny + malformed)} note="Would bounce, or do harm" />
        <Stat
          label="Grade of the list"
          value={grade ? `${grade.letter} (${formatNumber(grade.points)})` : '–'}
          note={grade?.formula}
        />
      </Stats>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <Section title="Verdicts">
          <VerdictDonut verdicts={{ ...verdicts, invalid: (verdicts['invalid'] ?? 0) + malformed }} />
        </Section>
        <Section title="Reasons">
          <Bars
            label="Reasons"
            rows={reasons.map(({ reason, count }) => ({
              name: reason === null ? 'Not probed' : (REASON_NAMES[reason] ?? humanise(reason)),
              count,
            }))}
          />
        </Section>
        <Section title="Mail providers">
          <Bars
            label="Mail providers"
            rows={summary.providers.map(({ provider, count }) => ({
              name: provider === null ? 'Others' : (PROVIDER_NAMES[provider] ?? humanise(provider)),
              count,
            }))}
          />
        </Section>
      </SimpleGrid>
    </>
  );
}

function SummarySkeleton() {
  return (
    <Stack gap="lg">
      <StatSkeletons />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        {['verdicts', 'reasons', 'providers'].map((part) => (
          <Skeleton key={part} height={320} radius="md" />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function LoadingResults({ loaded, total }: { loaded: number; total: number }) {
  return (
    <Box px="lg" pb="lg">
      <Group justify="space-between" mb={6}>
        <Text size="sm" c="dimmed">
          Loading the results
        </Text>
        <Text size="sm" c="dimmed" className="mv-number">
          {formatNumber(loaded)} of {formatNumber(total)}
        </Text>
      </Group>
      <Progress value={total === 0 ? 0 : (loaded / total) * 100} aria-label="Results loaded" />
    </Box>
  );
}
