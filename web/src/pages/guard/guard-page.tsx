import { Button, Group, Modal, NativeSelect, SimpleGrid, Skeleton, Stack, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, withQuery } from '../../api/client';
import type { GuardReport, Properties, Property } from '../../api/types';
import { useAccount } from '../../app/session';
import { Bars } from '../../components/bars';
import { CopyIcon } from '../../components/copy';
import { DataTable, type Column } from '../../components/data-table';
import { DayChart } from '../../components/day-chart';
import { formatNumber, formatShare, humanise } from '../../components/format';
import { Icon } from '../../components/icons';
import { Page, Section } from '../../components/page';
import { PeriodChooser, usePeriod } from '../../components/period';
import { QuotaStat } from '../../components/quota-note';
import { Stat, Stats, StatSkeletons } from '../../components/stat';
import { EmptyState, Failure, Lines, Loaded } from '../../components/states';
import { toastDone } from '../../components/toast';
import { VERDICT_LOOKS, VERDICTS, VerdictBadge, verdictLook } from '../../components/verdict';
import { When } from '../../components/when';
import { formText } from '../../components/form-text';

export default function GuardPage() {
  const account = useAccount();
  const [days, setDays] = usePeriod();
  const [property, setProperty] = useState('');
  const [creating, setCreating] = useState(false);
  const properties = useQuery({
    queryKey: account.key('properties'),
    queryFn: ({ signal }) => api.get<Properties>(account.path('/properties'), { signal }),
  });
  const report = useQuery({
    queryKey: account.key('guard', days, property),
    queryFn: ({ signal }) => api.get<GuardReport>(withQuery(account.path('/guard'), { days, property }), { signal }),
    placeholderData: keepPreviousData,
  });
  const create = account.can('developer') && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      Create property
    </Button>
  );
  return (
    <Page
      title="Guard"
      description="Decisions about addresses that people type into your forms. A property is a site or an app that guards its forms."
      actions={<PeriodChooser days={days} onChange={setDays} />}
    >
      <Section title="Properties" actions={create} flush>
        <Loaded
          query={properties}
          skeleton={
            <Stack p="lg">
              <Lines />
            </Stack>
          }
        >
          {({ properties: rows }) => (
            <DataTable
              label="Properties"
              columns={PROPERTY_COLUMNS}
              rows={rows}
              rowKey={({ id }) => id}
              csvName="properties"
              searchable={rows.length > 5}
              empty={
                <EmptyState icon="guard" title="No property yet" action={create}>
                  Create one for each site or app. Its site key tells the service whose form an address was typed into.
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Section>
      <Loaded query={report} skeleton={<Skeletons />}>
        {(data) => (
          <Report
            data={data}
            days={days}
            chooser={
              (properties.data?.properties.length ?? 0) > 1 && (
                <NativeSelect
                  aria-label="Property"
                  size="xs"
                  value={property}
                  onChange={(event) => setProperty(event.currentTarget.value)}
                  data={[
                    { value: '', label: 'All properties' },
                    ...properties.data!.properties.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              )
            }
          />
        )}
      </Loaded>
      <CreateProperty opened={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}

const PROPERTY_COLUMNS: Column<Property>[] = [
  { key: 'name', header: 'Name', value: ({ name }) => name },
  {
    key: 'key',
    header: 'Site key',
    value: ({ property_key }) => property_key,
    render: ({ property_key }) => (
      <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
        <code>{property_key}</code>
        <CopyIcon value={property_key} label={`Copy the site key ${property_key}`} />
      </Group>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    value: ({ created_at }) => created_at,
    render: ({ created_at }) => <When at={created_at} as="date" />,
  },
];

function Report({ data, days, chooser }: { data: GuardReport; days: number; chooser: React.ReactNode }) {
  const { totals, quota, top_domains } = data;
  const degraded = totals.total === 0 ? null : totals.degraded / totals.total;
  const verdicts = VERDICTS.filter((verdict) => data.days.some((day) => (day.verdicts[verdict] ?? 0) > 0));
  return (
    <Stack gap="lg">
      <Stats>
        <QuotaStat label="Decisions left this month" quota={quota} />
        <Stat label={`Decisions in ${days} days`} value={formatNumber(totals.total)} />
        <Stat
          label="Degraded"
          value={formatShare(degraded)}
          note="answered from lists alone, as the quota was used up"
        />
        <Stat
          label="Turned away"
          value={formatNumber(totals.actions['deny'] ?? 0)}
          note={`of ${formatNumber(totals.total)} decisions`}
        />
      </Stats>
      {totals.total === 0 ? (
        <Section actions={chooser}>
          <EmptyState icon="guard" title={`No decision in the last ${days} days`}>
            Decisions appear here once a form sends the addresses that people type.
          </EmptyState>
        </Section>
      ) : (
        <>
          <Section title="Decisions a day" description="By verdict, in days of UTC" actions={chooser} flush>
            <DayChart
              label="Decisions a day"
              summary={`Decisions a day over ${days} days: ${formatNumber(totals.total)} in all.`}
              rows={data.days.map(({ day, verdicts: counts }) => ({ day, ...counts }))}
              series={(verdicts.length === 0 ? VERDICTS : verdicts).map((name) => ({ name, ...VERDICT_LOOKS[name] }))}
              csvName="guard-decisions"
            />
          </Section>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Section title="Verdicts">
              <Bars
                label="Verdicts"
                bars={sorted(totals.verdicts).map(([name, value]) => ({
                  name,
                  value,
                  label: <VerdictBadge result={name} />,
                  color: verdictLook(name).color,
                }))}
              />
            </Section>
            <Section title="Actions">
              <Bars
                label="Actions"
                bars={sorted(totals.actions).map(([name, value]) => ({ name, value, label: humanise(name) }))}
              />
            </Section>
            <Section title="Sources">
              <Bars
                label="Sources"
                bars={sorted(totals.sources).map(([name, value]) => ({ name, value, label: humanise(name) }))}
              />
            </Section>
            <Section title="Top domains">
              {top_domains.length === 0 ? (
                <EmptyState title="None yet" />
              ) : (
                <Bars
                  label="Top domains"
                  total={totals.total}
                  bars={top_domains.map(({ domain, count }) => ({ name: domain, value: count }))}
                />
              )}
            </Section>
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}

function sorted(counts: Readonly<Record<string, number>>): [string, number][] {
  const known = Object.entries(counts).filter(([name, count]) => name !== 'other' || count > 0);
  return known.sort(([, a], [, b]) => b - a);
}

function CreateProperty({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const account = useAccount();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (name: string) => api.post<Property>(account.path('/properties'), { name }),
    onSuccess: ({ name }) => {
      void client.invalidateQueries({ queryKey: account.key('properties') });
      toastDone(`${name} is created. Its site key stands in the list.`);
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(formText(new FormData(event.currentTarget), 'name').trim());
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Create a property" centered>
      <form onSubmit={submit}>
        <Stack>
          <Failure error={create.error} />
          <TextInput
            label="Name"
            name="name"
            description="The site or app, such as “shop.example.com”."
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Skeletons() {
  return (
    <Stack gap="lg">
      <StatSkeletons />
      <Skeleton height={360} radius="md" />
    </Stack>
  );
}
