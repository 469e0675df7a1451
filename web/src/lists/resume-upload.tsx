import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError } from '../api/client';
import type { List, Options } from '../api/types';
import { useAccount } from '../app/session';
import { Icon } from '../components/icons';
import { formatNumber } from '../components/format';
import { messageOf, RequestId } from '../components/states';
import { FileChooser } from './file-chooser';
import { FileRefusal, sentenceOf } from './file/file-refusal';
import { ListFile } from './file/list-file';
import { heldFile, holdFile, type HeldFile } from './held-files';
import { keptFile } from './kept-files';
import { sendList } from './uploads';

/** A list of which some parts have not arrived: why, and how to go on. Parts that have arrived are not sent again. */
export function ResumeUpload({ list, stoppedBy }: { list: List; stoppedBy: unknown }) {
  const account = useAccount();
  const options = useQuery({ queryKey: ['options'], queryFn: () => api.get<Options>('/options') });
  const kept = useQuery({ queryKey: ['kept-file', list.id], queryFn: () => keptFile(list.id), staleTime: 0 });
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const held = heldFile(list.id);

  const goOn = async (find: () => Promise<HeldFile>) => {
    setBusy(true);
    setFault(null);
    try {
      const { file, ...rest } = await find();
      const { emails } = await file.entries(rest.place);
      holdFile(list.id, { file, ...rest });
      void sendList({ path: account.path(`/lists/${list.id}`), list: list.id, emails, from: list.parts_submitted });
    } catch (error) {
      setFault(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const fromKept = async (): Promise<HeldFile> => {
    const { file: blob, name, choices, place } = kept.data!;
    const file = new ListFile(blob);
    const { kind } = await file.describe(choices);
    return { file, name, kind, place };
  };
  const fromChosen = async (chosen: File): Promise<HeldFile> => {
    const file = new ListFile(chosen);
    try {
      const found = await file.find(list.total);
      if (found === null) {
        const many = formatNumber(list.total);
        throw new FileRefusal(
          `No column of this file has the ${many} entries of the list: choose the one that was checked.`,
        );
      }
      return { file, name: chosen.name, ...found };
    } catch (error) {
      file.close();
      throw error;
    }
  };

  const isSignedOut = stoppedBy instanceof ApiError && stoppedBy.status === 401;
  const isShort = stoppedBy instanceof ApiError && stoppedBy.status === 402;
  const topUp = options.data?.topup_url;
  const isAtHand = held !== null || (kept.data !== undefined && kept.data !== null);
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title={`${list.parts_submitted} of ${list.parts} parts have been sent`}
    >
      <Stack gap="sm">
        <Text size="sm">
          {stoppedBy ? `${messageOf(stoppedBy)} ` : ''}
          {isShort
            ? 'What was sent is paid and checked all the same. '
            : 'The parts that have arrived are not sent or paid again. '}
          {isShort && (topUp ? <Anchor href={topUp}>Top up the account,</Anchor> : 'Top up the account,')}
          {isShort && ' then continue. '}
          {isSignedOut && (
            <Anchor href="/sign-in" target="_blank" inherit>
              Sign in again in another tab,
            </Anchor>
          )}
          {isSignedOut && ' then continue here. '}
          {!isAtHand && 'To go on, choose the same file again.'}
        </Text>
        <RequestId error={stoppedBy} />
        {!isAtHand && <FileChooser file={null} onChoose={(chosen) => void goOn(() => fromChosen(chosen))} compact />}
        {isAtHand && (
          <Group>
            <Button loading={isBusy} onClick={() => void goOn(held ? () => Promise.resolve(held) : fromKept)}>
              Continue
            </Button>
          </Group>
        )}
        {fault !== null && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
