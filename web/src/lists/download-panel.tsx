import type { List } from '../api/types';
import { Alert, Button, Group, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatNumber } from '../components/format';
import { Icon } from '../components/icons';
import { downloadName } from './download-name';
import { FileChooser } from './file-chooser';
import { isSelected, SELECTIONS, type EntryResults, type Selection } from './file/added-columns';
import { sentenceOf } from './file/file-refusal';
import { saveBlob } from './save-blob';
import { useListFile } from './use-list-file';

const NAMES: Readonly<Record<Selection, { readonly name: string; readonly text: string }>> = {
  deliverable: { name: 'Deliverable only', text: 'Rows whose mailbox accepts mail.' },
  review: { name: 'What to review', text: 'Rows that are proven neither good nor bad.' },
  everything: { name: 'Everything', text: 'All rows as they were, each with its verdict.' },
};
const ORDER: readonly Selection[] = ['deliverable', 'review', 'everything'];

/** The file as it was, with the verdicts of the rows one wants. */
export function DownloadPanel({ list, results }: { list: List; results: EntryResults | null }) {
  const file = useListFile(list.id);
  const [selection, setSelection] = useState<Selection>('deliverable');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const counts = useMemo(() => (results === null ? null : countSelections(results)), [results]);

  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await what();
    } catch (error) {
      setFault(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const save = (columns: EntryResults) =>
    act(async () => {
      const { file: opened, name, kind, place } = await file.open();
      const blob = await opened.annotated(place, columns, selection);
      saveBlob(downloadName(name, selection, kind), blob);
    });

  return (
    <Stack>
      <Radio.Group aria-label="Rows to download" value={selection} onChange={setSelection}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          {ORDER.map((one) => (
            <Radio
              key={one}
              value={one}
              label={counts ? `${NAMES[one].name} (${formatNumber(counts[one])})` : NAMES[one].name}
              description={NAMES[one].text}
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {file.isAtHand === false && (
        <>
          <Text size="sm" c="dimmed">
            {list.file_name ? `The file ${list.file_name} is` : 'The file is'} on your computer and nowhere else. Choose
            it again, and the verdicts are put into it here. It is not sent.
          </Text>
          {results === null ? (
            <Skeleton height={108} />
          ) : (
            <FileChooser
              file={null}
              compact
              onChoose={(chosen) => void act(async () => void (await file.choose(chosen, results)))}
            />
          )}
        </>
      )}
      {fault !== null && (
        <Alert color="red" icon={<Icon name="warning" />} title="This file cannot be used" role="alert">
          {fault}
        </Alert>
      )}
      <Group>
        <Button
          leftSection={<Icon name="download" size={16} />}
          disabled={results === null || file.isAtHand !== true}
          loading={isBusy}
          onClick={() => {
            if (results) void save(results);
          }}
        >
          Download
        </Button>
      </Group>
    </Stack>
  );
}

/** Addresses of each selection. */
function countSelections(results: EntryResults): Record<Selection, number> {
  const counts = { deliverable: 0, review: 0, everything: 0 };
  for (let entry = 0; entry < results.email.length; entry++) {
    for (const selection of SELECTIONS) if (isSelected(results, entry, selection)) counts[selection]++;
  }
  return counts;
}
