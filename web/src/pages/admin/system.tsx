import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import type { SystemReport } from '../../api/types';
import { DataTable, type Column } from '../../components/data-table';
import { counted, formatDuration, formatNumber } from '../../components/format';
import { Section } from '../../components/page';
import { EmptyState, Loaded } from '../../components/states';
import { When } from '../../components/when';
import { WithIcon } from '../../components/with-icon';

type List = SystemReport['lists'][number];
type Egress = NonNullable<SystemReport['egress']>[number];
type BackOff = NonNullable<SystemReport['politeness']>[number];

export function SystemView() {
  const system = useQuery({
    queryKey: ['admin', 'system'],
    queryFn: ({ signal }) => api.get<SystemReport>('/admin/system', { signal }),
    refetchInterval: 30_000,
  });
  return (
    <Loaded query={system} skeleton={<Skeleton height={400} radius="md" />}>
      {({ lists, egress, politeness, ledger_audit }) => (
        <Stack gap="lg">
          <Section title="Ledger audit">
            {ledger_audit ? (
              <Text size="sm" component="div">
                <Health good={ledger_audit.mismatches === 0}>
                  {ledger_audit.mismatches === 0
                    ? `The books of ${counted(ledger_audit.accounts, 'account')} add up`
                    : `${counted(ledger_audit.mismatches, 'account')} of ${formatNumber(ledger_audit.accounts)} do not add up`}
                </Health>
                , checked <When at={ledger_audit.at} as="ago" />.
              </Text>
            ) : (
              <Text size="sm" c="dimmed">
                Not made yet. A worker makes it once a day.
              </Text>
            )}
          </Section>
          <Section title="Lists" flush>
            <DataTable
              label="Lists"
              columns={LIST_COLUMNS}
              rows={lists}
              rowKey={({ name }) => name}
              csvName="lists"
              searchable={false}
            />
          </Section>
          <Section title="Mail hosts that are left alone" flush>
            <DataTable
              label="Mail hosts that are left alone"
              columns={BACK_OFF_COLUMNS}
              rows={politeness ?? []}
              rowKey={({ host, domain, egress: way }) => `${host} ${domain} ${way}`}
              csvName="back-offs"
              empty={
                politeness === null ? (
                  <WithoutRedis />
                ) : (
                  <EmptyState icon="check" title="None">
                    No mail host has asked for a pause.
                  </EmptyState>
                )
              }
            />
          </Section>
          <Section title="Ways out" description="What the internet sees of each way that probes take" flush>
            <DataTable
              label="Ways out"
              columns={EGRESS_COLUMNS}
              rows={egress ?? []}
              rowKey={({ process, helo_name }) => `${process} ${helo_name}`}
              csvName="ways-out"
              searchable={false}
              empty={
                egress === null ? (
                  <WithoutRedis />
                ) : (
                  <EmptyState title="No process probes">Start a worker: it tells how its ways out are.</EmptyState>
                )
              }
            />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function Health({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <WithIcon icon={good ? 'check' : 'warning'} color={good ? 'var(--mv-verdict-valid)' : 'var(--mv-verdict-invalid)'}>
      {children}
    </WithIcon>
  );
}

function WithoutRedis() {
  return <EmptyState title="Not known">Redis does not answer, and this stands there alone.</EmptyState>;
}

const LIST_COLUMNS: Column<List>[] = [
  { key: 'name', header: 'List', value: ({ name }) => name },
  {
    key: 'entries',
    header: 'Fetched entries',
    align: 'right',
    value: ({ entries, refreshed_at }) => (refreshed_at === null ? null : entries),
    render: ({ entries, refreshed_at }) => formatNumber(refreshed_at === null ? null : entries),
  },
  {
    key: 'refreshed',
    header: 'Refreshed',
    value: ({ refreshed_at }) => refreshed_at,
    render: ({ refreshed_at }) => <When at={refreshed_at} as="ago" none="with the release" />,
  },
  {
    key: 'age',
    header: 'Age',
    align: 'right',
    value: ({ age_seconds }) => age_seconds,
    render: ({ age_seconds }) => (age_seconds === null ? '–' : formatDuration(age_seconds)),
  },
  {
    key: 'healthy',
    header: 'State',
    value: ({ healthy }) => (healthy ? 'healthy' : 'too old'),
    render: ({ healthy }) => <Health good={healthy}>{healthy ? 'Healthy' : 'Too old'}</Health>,
  },
];

const BACK_OFF_COLUMNS: Column<BackOff>[] = [
  { key: 'host', header: 'Host', value: ({ host }) => host },
  {
    key: 'domain',
    header: 'Domain',
    value: ({ domain }) => domain,
    render: ({ domain }) => domain ?? 'all there',
  },
  { key: 'egress', header: 'Way out', value: ({ egress }) => egress },
  {
    key: 'refusals',
    header: 'Refusals in a row',
    align: 'right',
    value: ({ refusals }) => refusals,
    render: ({ refusals }) => formatNumber(refusals),
  },
  { key: 'until', header: 'Until', value: ({ until }) => until, render: ({ until }) => <When at={until} /> },
];

const yesNo = (value: boolean | null): string => (value === null ? 'not known' : value ? 'yes' : 'no');

const EGRESS_COLUMNS: Column<Egress>[] = [
  { key: 'process', header: 'Process', value: ({ process }) => process },
  { key: 'helo', header: 'HELO name', value: ({ helo_name }) => helo_name },
  { key: 'resolves', header: 'Resolves', value: ({ helo_resolves }) => yesNo(helo_resolves) },
  { key: 'reverse', header: 'Reverse DNS matches', value: ({ reverse_dns_matches }) => yesNo(reverse_dns_matches) },
  { key: 'port', header: 'Port 25', value: ({ port }) => (port === 'unknown' ? 'not known' : port) },
  {
    key: 'state',
    header: 'State',
    value: ({ failing }) => (failing ? 'failing' : 'works'),
    render: ({ failing }) => <Health good={!failing}>{failing ? 'Failing' : 'Works'}</Health>,
  },
];
