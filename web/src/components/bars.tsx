import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber, formatShare } from './format';

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly label?: ReactNode;
  readonly color?: string;
  /** Shown to the right, instead of the number. */
  readonly note?: ReactNode;
}

/** Parts of a whole, the largest first, as bars with their numbers: read by everybody without a legend. */
export function Bars({ bars, total, label }: { bars: readonly Bar[]; total?: number; label: string }) {
  const whole = total ?? bars.reduce((sum, { value }) => sum + value, 0);
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <Stack gap="sm" component="ul" aria-label={label} m={0} p={0} style={{ listStyle: 'none' }}>
      {bars.map(({ name, value, label: shown, color, note }) => (
        <Box component="li" key={name}>
          <Group justify="space-between" gap="sm" wrap="nowrap" mb={4}>
            <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
              {shown ?? name}
            </Text>
            <Text size="sm" component="span" className="mv-number">
              {note ?? (
                <>
                  {formatNumber(value)}{' '}
                  <Text span c="dimmed" size="xs" display="inline-block" miw={48} ta="right">
                    {whole > 0 ? formatShare(value / whole) : ''}
                  </Text>
                </>
              )}
            </Text>
          </Group>
          <Box className="mv-track" h={8} bg="var(--mv-hover)" style={{ borderRadius: 4, overflow: 'hidden' }}>
            <Box
              className="mv-drawn"
              h="100%"
              w={`${(value / largest) * 100}%`}
              bg={color ?? 'var(--mantine-primary-color-filled)'}
              style={{ borderRadius: 4 }}
            />
          </Box>
        </Box>
      ))}
    </Stack>
  );
}
