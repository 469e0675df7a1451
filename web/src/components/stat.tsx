import { Box, Progress, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One figure with its name, and what it means. */
export function Stat({
  label,
  value,
  note,
  share,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  /** How much of it is used, 0 to 1: drawn as a bar. */
  share?: number | null;
}) {
  return (
    <Box className="mv-card" px="lg" py="md">
      <Text c="dimmed" size="sm">
        {label}
      </Text>
      <Text fz="1.625rem" fw={650} lh={1.35} className="mv-number">
        {value}
      </Text>
      {share !== undefined && share !== null && (
        <Progress
          value={Math.min(100, share * 100)}
          size="sm"
          mt={6}
          mb={4}
          color={share >= 0.9 ? 'orange.7' : undefined}
          aria-label={`${label}: ${Math.round(share * 100)}% used`}
        />
      )}
      {note && (
        <Text c="dimmed" size="xs" component="div">
          {note}
        </Text>
      )}
    </Box>
  );
}

export function Stats({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      {children}
    </SimpleGrid>
  );
}

export function StatSkeletons({ count = 4 }: { count?: number }) {
  return (
    <Stats>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={116} radius="md" />
      ))}
    </Stats>
  );
}
