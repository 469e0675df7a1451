import type { List } from '../api/types';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { counted, formatDuration, formatNumber } from '../components/format';
import { Section } from '../components/page';
import { useAccount } from '../app/session';
import { ResumeUpload } from './resume-upload';
import { useUpload } from './uploads';

/** A list on its way: how much was sent, how much is done, how fast and how long it will take. */
export function ListProgress({ list }: { list: List }) {
  const account = useAccount();
  const upload = useUpload(list.id);
  const isSending = upload?.state === 'sending' || upload?.state === 'waiting';
  const isMissingParts = list.parts_submitted < list.parts;
  const share = list.total === 0 ? 0 : list.done / list.total;
  const percent = Math.floor(share * 100);
  return (
    <Section title={!isMissingParts ? 'Checking' : isSending ? 'Sending and checking' : 'Partly sent'}>
      <Stack>
        {account.can('member') && isMissingParts && !isSending && upload?.state !== 'sent' && (
          <ResumeUpload list={list} stoppedBy={upload?.error} />
        )}
        {isMissingParts && isSending && (
          <Text size="sm" c="dimmed">
            Part {Math.min(upload.sent + 1, list.parts)} of {list.parts} is being sent. Keep this tab open until all are
            sent.
            {upload.state === 'waiting' && upload.error instanceof Error && ` Waiting: ${upload.error.message}`}
          </Text>
        )}
        <Group justify="space-between" align="baseline">
          <Text fz="1.625rem" fw={650} lh={1.2} className="mv-number">
            {percent}%
          </Text>
          <Text size="sm" c="dimmed" className="mv-number">
            {formatNumber(list.done)} of {counted(list.total, 'address', 'addresses')}
          </Text>
        </Group>
        <Progress.Root size="lg">
          <Progress.Section value={percent} animated={percent < 100} aria-label="Addresses checked" />
        </Progress.Root>
        <Group gap="xl" c="dimmed" fz="sm" mih={22}>
          {list.rate_per_second !== null && list.rate_per_second > 0 && (
            <span className="mv-number">
              {counted(Math.max(1, Math.round(list.rate_per_second)), 'address', 'addresses')} a second
            </span>
          )}
          {list.seconds_left !== null && (
            <span className="mv-number">about {formatDuration(list.seconds_left)} left</span>
          )}
          {list.status === 'processing' && list.rate_per_second === null && list.seconds_left === null && (
            <span>Waiting for a worker</span>
          )}
        </Group>
        {!isSending && !isMissingParts && (
          <Text size="sm" c="dimmed">
            You can leave this page or close the browser: the check goes on, and the list waits for you here.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
