import { Alert, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, MAY_BE_DONE } from '../api/client';
import { Icon, type IconName } from './icons';

/** A page or card without content says what to do first. */
export function EmptyState({
  icon = 'tray',
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={40} px="md" ta="center">
      <Text c="dimmed" component="span" lh={0}>
        <Icon name={icon} size={36} />
      </Text>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" maw={480}>
          {children}
        </Text>
      )}
      {action && <Group mt="xs">{action}</Group>}
    </Stack>
  );
}

/** What to do about a failure, by its kind. */
export function adviceOn(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Reload the page. If that does not help, tell whoever runs this service.';
  if (error.status === 401) return 'Sign in again in another tab, then try again here: nothing of this page is lost.';
  if (error.status === 403) return 'An owner of this account can give you the role that this needs.';
  if (error.status === 404) return 'It may have been deleted, or belong to an account that you are not a member of.';
  if (error.status === 402) return 'Top up the credits, or take less.';
  if (error.status === 429 && error.retryAfterSeconds !== null)
    return `Try again in ${error.retryAfterSeconds} seconds.`;
  if (error.code === MAY_BE_DONE) return 'It may have been done all the same. Look at what is there, then try again.';
  if (error.status >= 500 || error.status === 0) return 'Nothing was lost or charged. Try again in a moment.';
  return 'Change what the message names, then try again.';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** The id by which an operator finds the request in the log. */
export function RequestId({ error }: { error: unknown }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  if (!requestId) return null;
  return (
    <Text c="dimmed" size="xs">
      Request <Code>{requestId}</Code>
    </Text>
  );
}

/** Within a form or a dialog: what happened, what to do, and the id of the request. Nothing while nothing has failed. */
export function Failure({
  error,
  title = messageOf(error),
  advice = adviceOn(error),
}: {
  error: unknown;
  title?: string | undefined;
  advice?: string | undefined;
}) {
  if (!error) return null;
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={title} role="alert">
      <Stack gap={4}>
        {advice}
        <RequestId error={error} />
      </Stack>
    </Alert>
  );
}

/** In place of what should be there: the same, and to try again. */
export function ErrorState({
  error,
  advice = adviceOn(error),
  heading = 2,
  retry,
}: {
  error: unknown;
  advice?: string | undefined;
  /** 1 where it stands in place of the whole page. */
  heading?: 1 | 2;
  retry?: () => void;
}) {
  return (
    <Stack align="center" gap="xs" py={40} px="md" ta="center" role="alert">
      <Text c="red" component="span" lh={0}>
        <Icon name="warning" size={36} />
      </Text>
      <Title order={heading} size="md">
        {messageOf(error)}
      </Title>
      <Text c="dimmed" size="sm" maw={480}>
        {advice}
      </Text>
      <RequestId error={error} />
      {retry && (
        <Button variant="default" mt="xs" leftSection={<Icon name="refresh" size={16} />} onClick={retry}>
          Try again
        </Button>
      )}
    </Stack>
  );
}

/** Grey lines of the height that the content will have, so that nothing jumps. */
export function Lines({ count = 3, height = 18 }: { count?: number; height?: number }) {
  return (
    <Stack gap="sm" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} width={index === count - 1 ? '60%' : '100%'} />
      ))}
    </Stack>
  );
}

/** What a query found, a skeleton while it looks, or why it failed. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <div role="status" aria-label="Loading">
      {skeleton ?? <Lines />}
    </div>
  );
}
