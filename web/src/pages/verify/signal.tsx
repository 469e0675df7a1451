import { Box, Group, Text } from '@mantine/core';
import { Icon, type IconName } from '../../components/icons';

/** One fact: yes, no, or not known, with an icon and a word. */
export function Signal({
  label,
  value,
  detail,
  good,
}: {
  label: string;
  value: boolean | null;
  detail?: string | null;
  /** Which answer is welcome; without it neither is. */
  good?: boolean;
}) {
  const word = value === null ? (detail ?? 'not known') : value ? 'yes' : 'no';
  const [icon, color] = value === null && detail ? NEITHER : lookOf(value, good);
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Box pt={1}>
        <Icon name={icon} color={color} />
      </Box>
      <Box style={{ minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {word}
          {value !== null && detail ? `, ${detail}` : ''}
        </Text>
      </Box>
    </Group>
  );
}

/** What was said is known, and neither yes nor no. */
const NEITHER: [IconName, string] = ['info', 'var(--mv-verdict-unknown)'];

function lookOf(value: boolean | null, good: boolean | undefined): [IconName, string] {
  if (value === null) return ['question', 'var(--mv-verdict-unknown)'];
  if (good === undefined) return [value ? 'check' : 'cross', 'var(--mv-verdict-unknown)'];
  return value === good ? ['check', 'var(--mv-verdict-valid)'] : ['warning', 'var(--mv-verdict-role)'];
}
