import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import mark from '../../mark.svg';
import { SchemeToggle } from '../../app/scheme-toggle';

/** The frame of the pages before the sign-in. */
export function Entrance({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Mailvet`;
  }, [title]);
  return (
    <Box component="main" mih="100dvh" pos="relative">
      <Box pos="absolute" top={12} right={12}>
        <SchemeToggle />
      </Box>
      <Center mih="100dvh" p="md">
        <Stack w="100%" maw={400} gap="lg">
          <Group justify="center" gap="sm">
            <img src={mark} alt="" width={36} height={36} />
            <Text fw={700} fz="xl">
              Mailvet
            </Text>
          </Group>
          <Paper className="mv-card" p={{ base: 'lg', xs: 'xl' }}>
            <Title order={1}>{title}</Title>
            {lead && (
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            )}
            <Box mt="lg">{children}</Box>
          </Paper>
        </Stack>
      </Center>
    </Box>
  );
}
