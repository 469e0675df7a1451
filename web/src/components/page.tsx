import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** Every page: its one `h1`, which is its name and the window's title, and what can be done on it. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – Mailvet`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ flex: '1 1 16rem', overflowWrap: 'anywhere' }}>
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" size="sm" maw={720}>
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** A part of a page, with its heading. */
export function Section({
  title,
  description,
  actions,
  children,
  flush = false,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without inner spacing: for tables, which bring their own. */
  flush?: boolean;
}) {
  return (
    <section className="mv-card" aria-label={title}>
      {(title || actions) && (
        <Group justify="space-between" px="lg" pt="md" pb={flush ? 'sm' : 0} gap="sm">
          <Box style={{ flex: '1 1 12rem', overflowWrap: 'anywhere' }}>
            {title && <Title order={2}>{title}</Title>}
            {description && (
              <Text c="dimmed" size="sm">
                {description}
              </Text>
            )}
          </Box>
          {actions}
        </Group>
      )}
      <Box p={flush ? 0 : 'lg'} pt={flush ? 0 : 'md'}>
        {children}
      </Box>
    </section>
  );
}
