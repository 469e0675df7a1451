import { Anchor, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, withQuery } from '../../api/client';
import type { Overview } from '../../api/types';
import { useAccount } from '../../app/session';
import { Bars } from '../../components/bars';
import { DayChart } from '../../components/day-chart';
import { formatNumber, formatShare, humanise } from '../../components/format';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { PeriodChooser, usePeriod } from '../../components/period';
import { QuotaStat } from '../../components/quota-note';
import { Stat, Stats, StatSkeletons } from '../../components/stat';
import { EmptyState, Loaded } from '../../components/states';
import { VERDICT_LOOKS, VERDICTS, VerdictBadge } from '../../components/verdict';

const ENDPOINTS: Readonly<Record<string, string>> = {
  single: 'Single checks',
  batch: 'Batches',
  job: 'Jobs and lists',
  other: 'Other',
};

export default function OverviewPage() {
  const account = useAccount();
  const [days, setDays] = usePeriod();
  const overview = useQuery({
    queryKey: account.key('overview', days),
    queryFn: ({ signal }) => api.get<Overview>(withQuery(account.path('/overview'), { days }), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <Page
      title="Overview"
      description={`${account.name}, plan ${account.plan}`}
      actions={<PeriodChooser days={days} onChange={setDays} />}
    >
      <Loaded query={overview} skeleton={<Skeletons />}>
        {(data) => <Report data={data} days={days} />}
      </Loaded>
    </Page>
  );
}

function Report({ data, days }: { data: Overview; days: number }) {
  const account = useAccount();
  const { totals, credits } = data;
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, data.days.reduce((sum, day) => sum + (day.verdicts[verdict] ?? 0), 0)]),
  ) as Record<(typeof VERDICTS)[number], number>;
  const judged = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Stack gap="lg">
      <Stats>
        <Stat
          label="Credits"
          value={formatNumber(credits.total)}
          note={
            <>
              {formatNumber(credits.purchased)} purchased, {formatNumber(credits.gifted)} gifted.{' '}
              <Anchor component={Link} to={account.link('/credits')} inherit>
                Statement
              </Anchor>
            </>
          }
        />
        <QuotaStat label="Free verifications left" quota={data.free_verifies} />
        <Stat
          label={`Verified in ${days} days`}
          value={formatNumber(totals.addresses)}
          note={`${formatNumber(totals.credits_used)} credits and ${formatNumber(totals.free_verifies_used)} free ones used`}
        />
        <Stat
          label="Deliverable"
          value={formatShare(totals.deliverable_share)}
          note={`Rate limit: ${formatNumber(data.rate_limit.per_minute)} calls a minute`}
        />
      </Stats>
      {totals.addresses === 0 && judged === 0 ? (
        <Section>
          <EmptyState
            icon="overview"
            title={`Nothing was verified in the last ${days} days`}
            action={
              <Group>
                <Button component={Link} to={account.link('/verify')} leftSection={<Icon name="verify" size={16} />}>
                  Verify an address
                </Button>
                <Button component={Link} to={account.link('/keys')} variant="default">
                  Create an API key
                </Button>
              </Group>
            }
          >
            Verify one address, drop a list, or give your program an API key. The charts appear with the first results.
          </EmptyState>
        </Section>
      ) : (
        <>
          <Section title="Verifications a day" description="By verdict, in days of UTC" flush>
            <DayChart
              label="Verifications a day"
              summary={`Verifications a day over ${days} days: ${formatNumber(judged)} in all, ${VERDICTS.map((verdict) => `${formatNumber(counts[verdict])} ${VERDICT_LOOKS[verdict].label.toLowerCase()}`).join(', ')}.`}
              rows={data.days.map(({ day, verdicts }) => ({ day, ...verdicts }))}
              series={VERDICTS.map((name) => ({ name, ...VERDICT_LOOKS[name] }))}
              csvName="verifications"
            />
          </Section>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Section title="Verdicts">
              <Bars
                label="Verdicts"
                total={judged}
                bars={VERDICTS.map((verdict) => ({
                  name: verdict,
                  value: counts[verdict],
                  label: <VerdictBadge result={verdict} />,
                  color: VERDICT_LOOKS[verdict].color,
                }))}
              />
            </Section>
            <Section title="Credits and free verifications a day" flush>
              <DayChart
                label="Credits and free verifications a day"
                summary={`Over ${days} days ${formatNumber(totals.credits_used)} credits and ${formatNumber(totals.free_verifies_used)} free verifications were used.`}
                rows={data.days.map(({ day, credits_used, free_verifies_used }) => ({
                  day,
                  credits_used,
                  free_verifies_used,
                }))}
                series={[
                  { name: 'credits_used', label: 'Credits', color: 'var(--mantine-color-indigo-7)' },
                  { name: 'free_verifies_used', label: 'Free verifications', color: 'var(--mantine-color-indigo-3)' },
                ]}
                csvName="usage"
                height={220}
              />
            </Section>
            <Section title="By key">
              <Bars
                label="By key"
                bars={data.by_key.map(({ key_id, name, addresses }) => ({
                  name: key_id ?? 'none',
                  label: name ?? 'Deleted or unnamed key',
                  value: addresses,
                }))}
              />
            </Section>
            <Section title="By endpoint">
              <Bars
                label="By endpoint"
                bars={data.by_endpoint.map(({ endpoint, addresses }) => ({
                  name: endpoint,
                  label: ENDPOINTS[endpoint] ?? humanise(endpoint),
                  value: addresses,
                }))}
              />
            </Section>
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}

function Skeletons() {
  return (
    <Stack gap="lg">
      <StatSkeletons />
      <Skeleton height={400} radius="md" />
    </Stack>
  );
}
