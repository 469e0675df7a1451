import { Box, Code, Group, Stack, Text } from '@mantine/core';
import type { DomainAnswer } from '../../api/types';
import { humanise } from '../../components/format';
import { Icon, type IconName } from '../../components/icons';

const NAMES: Readonly<Record<string, string>> = {
  mx: 'Mail host',
  spf: 'SPF',
  dmarc: 'DMARC',
  dmarcPolicy: 'DMARC policy',
  dmarc_policy: 'DMARC policy',
  dkim: 'DKIM',
  dnssec: 'DNSSEC',
  mtaSts: 'MTA-STS',
  mta_sts: 'MTA-STS',
  dane: 'DANE',
  blacklists: 'DNS blacklists',
  tlsRpt: 'TLS reporting',
  tls_rpt: 'TLS reporting',
  caa: 'CAA',
};

type Part = DomainAnswer['score_parts'][number];

/** Each part of the score as a bar, as long as its weight, with what would raise it. */
export function ScoreParts({ parts }: { parts: readonly Part[] }) {
  const heaviest = Math.max(...parts.map(({ max }) => max), 1);
  return (
    <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {[...parts]
        .sort((a, b) => b.max - a.max)
        .map((part) => (
          <Box component="li" key={part.part}>
            <Group justify="space-between" wrap="nowrap" mb={4}>
              <Group gap="xs" wrap="nowrap">
                <Icon name={lookOf(part)[0]} color={lookOf(part)[1]} size={16} />
                <Text size="sm" fw={500} component="span">
                  {NAMES[part.part] ?? humanise(part.part)}
                </Text>
              </Group>
              <Text size="sm" component="span" className="mv-number">
                {part.points === null || part.fulfilled === null
                  ? 'not known'
                  : `${Math.round(part.points * 10) / 10} of ${part.max}`}
              </Text>
            </Group>
            <Box
              className="mv-track"
              h={8}
              w={`${(part.max / heaviest) * 100}%`}
              bg="var(--mv-hover)"
              style={{ borderRadius: 4 }}
            >
              <Box
                className="mv-drawn"
                h="100%"
                w={`${part.max === 0 ? 0 : ((part.points ?? 0) / part.max) * 100}%`}
                bg="var(--mantine-primary-color-filled)"
                style={{ borderRadius: 4 }}
              />
            </Box>
            {part.advice && (
              <Text size="sm" c="dimmed" mt={4}>
                {withCode(part.advice)}
              </Text>
            )}
          </Box>
        ))}
    </Stack>
  );
}

/** What stands between backticks is code. */
function withCode(text: string) {
  return text.split('`').map((piece, index) => (index % 2 === 0 ? piece : <Code key={piece}>{piece}</Code>));
}

function lookOf({ fulfilled, points }: Part): [IconName, string] {
  if (fulfilled === null) return ['question', 'var(--mv-verdict-unknown)'];
  if (fulfilled) return ['check', 'var(--mv-verdict-valid)'];
  return [points ? 'info' : 'cross', 'var(--mv-verdict-role)'];
}
