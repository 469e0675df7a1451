import { Badge, Group, RingProgress, SimpleGrid, Stack, Text, Box } from '@mantine/core';
import type { DomainObject } from '../../api/types';
import { humanise } from '../../components/format';
import { Signal } from '../verify/signal';

const FACTS: readonly { field: keyof DomainObject; label: string }[] = [
  { field: 'spf', label: 'SPF' },
  { field: 'dkim', label: 'DKIM' },
  { field: 'dmarc', label: 'DMARC' },
  { field: 'mta_sts', label: 'MTA-STS' },
  { field: 'tls_rpt', label: 'TLS reporting' },
  { field: 'dane', label: 'DANE' },
  { field: 'caa', label: 'CAA' },
  { field: 'bimi', label: 'BIMI' },
];

/** How well a domain is set up for mail. */
export function DomainCard({ domain }: { domain: DomainObject }) {
  return (
    <Group align="flex-start" gap="xl">
      <Score score={domain.score} />
      <Stack gap="md" style={{ flex: '1 1 20rem' }}>
        <Group gap="xs">
          {(domain.types ?? []).map((type) => (
            <Badge key={type} variant="default" tt="none" fw={500}>
              {humanise(type)}
            </Badge>
          ))}
          {domain.blocked && (
            <Badge color="red.9" tt="none">
              Blocked{domain.blocked_label ? `: ${domain.blocked_label}` : ''}
            </Badge>
          )}
        </Group>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
          {FACTS.map(({ field, label }) => (
            <Signal
              key={field}
              label={label}
              value={domain[field] as boolean | null}
              detail={field === 'dmarc' ? domain.dmarc_policy : null}
              good
            />
          ))}
          <Signal
            label="DNSSEC"
            value={domain.dnssec === null ? null : domain.dnssec === 'secure'}
            detail={domain.dnssec === null || domain.dnssec === 'secure' ? null : domain.dnssec}
            good
          />
          <Signal
            label="On blacklists"
            value={domain.blacklists === null ? null : domain.blacklists > 0}
            detail={domain.blacklists ? String(domain.blacklists) : null}
            good={false}
          />
        </SimpleGrid>
      </Stack>
    </Group>
  );
}

function Score({ score }: { score: number | null }) {
  return (
    <Box>
      <RingProgress
        size={112}
        thickness={10}
        roundCaps
        rootColor="var(--mv-hover)"
        sections={[{ value: score ?? 0, color: 'indigo.7' }]}
        label={
          <Box ta="center">
            <Text fw={700} fz="xl" lh={1.1} className="mv-number">
              {score ?? '–'}
            </Text>
            <Text size="xs" c="dimmed">
              of 100
            </Text>
          </Box>
        }
      />
      <Text ta="center" size="xs" c="dimmed">
        Domain score
      </Text>
    </Box>
  );
}
