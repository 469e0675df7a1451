import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client';
import type { List, ListMode, Overview } from '../api/types';
import { useAccount } from '../app/session';
import { formatNumber } from '../components/format';
import { Icon } from '../components/icons';
import { ErrorState, Failure } from '../components/states';
import { DELIMITERS, type Delimiter } from './file/detect-dialect';
import { sentenceOf } from './file/file-refusal';
import type { ListFile } from './file/list-file';
import { PART_SIZE, type SentEntries } from './file/list-file-session';
import type { FileChoices, FileDescription } from './file/open-list-file';
import { ENCODINGS, type Encoding } from './file/text-encoding';
import { holdFile } from './held-files';
import { keepFile } from './kept-files';
import { ListPreview } from './list-preview';
import { listPrice } from './list-price';
import { PricePanel } from './price-panel';
import { sendList } from './uploads';

/** Parts of a list, as the API takes them. */
const MOST_PARTS = 200;

/** What was found in a file, to be corrected by who knows better, and what checking it costs. */
export function CheckedFile({ file, name, first }: { file: ListFile; name: string; first: FileDescription }) {
  const account = useAccount();
  const navigate = useNavigate();
  const [choices, setChoices] = useState<FileChoices>({});
  const [chosenColumn, setColumn] = useState<number | null>(null);
  const [mode, setMode] = useState<ListMode>('standard');
  const [listName, setListName] = useState(name.replace(/\.[^.]*$/, '').slice(0, 100));
  const [isKept, setKept] = useState(false);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const described = useQuery({
    queryKey: ['list-file', file.id, choices],
    queryFn: () => file.describe(choices),
    initialData: Object.keys(choices).length === 0 ? first : undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const description = described.data ?? first;
  const [best] = description.candidates;
  const column = chosenColumn ?? (description.candidates.length === 1 ? (best ?? null) : null);
  const place = column === null ? null : { column, header: description.header };
  const entries = useQuery({
    queryKey: ['list-file-entries', file.id, choices, place],
    queryFn: () => file.entries(place!),
    enabled: place !== null && described.isSuccess && !described.isPlaceholderData,
    retry: false,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const balance = useQuery({
    queryKey: account.key('balance'),
    queryFn: ({ signal }) => api.get<Overview>(account.path('/overview?days=7'), { signal }),
    staleTime: 0,
  });
  const price = entries.data && balance.data ? listPrice(entries.data.billedByPart, mode, balance.data) : null;

  const start = async ({ emails }: SentEntries) => {
    if (place === null) return;
    setStarting(true);
    setFailure(null);
    try {
      const list = await api.post<List>(account.path('/lists'), {
        name: listName.trim() === '' ? 'List' : listName.trim(),
        mode,
        file_name: name.slice(0, 255),
        parts: Math.ceil(emails.length / PART_SIZE),
        total: emails.length,
      });
      holdFile(list.id, { file, name, kind: description.kind, place });
      if (isKept) await keepFile(list.id, { file: file.file, name, choices, place });
      void sendList({ path: account.path(`/lists/${list.id}`), list: list.id, emails, from: 0 });
      await navigate(account.link(`/lists/${list.id}`));
    } catch (error) {
      setFailure(error);
      setStarting(false);
    }
  };

  const unreadable = described.error ?? entries.error;
  const asks = column === null;
  const sent = entries.data;
  const nothingToSend = sent !== undefined && sent.counts.addresses === 0;
  const isTooLong = sent !== undefined && sent.emails.length > MOST_PARTS * PART_SIZE;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <NativeSelect
          label="Column with the addresses"
          value={column === null ? '' : String(column)}
          error={asks ? 'More than one column holds addresses: choose one.' : undefined}
          onChange={(event) => setColumn(Number(event.currentTarget.value))}
          data={[
            ...(asks ? [{ value: '', label: 'Choose…', disabled: true }] : []),
            ...description.columns.map(({ name: label, addresses }, index) => ({
              value: String(index),
              label: addresses > 0 ? `${label} (addresses)` : label,
            })),
          ]}
        />
        {description.kind === 'text' && (
          <>
            <NativeSelect
              label="Cells are separated by"
              value={choices.delimiter ?? description.delimiter ?? ''}
              onChange={(event) => {
                const delimiter = event.currentTarget.value as Delimiter | '';
                const { delimiter: _, ...others } = choices;
                setChoices(delimiter === '' ? others : { ...others, delimiter });
                setColumn(null);
              }}
              data={[
                ...(first.delimiter === null ? [{ value: '', label: 'Nothing: one cell a row' }] : []),
                ...Object.entries(DELIMITERS).map(([value, label]) => ({ value, label })),
              ]}
            />
            <NativeSelect
              label="Text is written in"
              value={choices.encoding ?? description.encoding ?? 'utf-8'}
              onChange={(event) => setChoices({ ...choices, encoding: event.currentTarget.value as Encoding })}
              data={Object.entries(ENCODINGS).map(([value, label]) => ({ value, label }))}
            />
          </>
        )}
        {description.sheets.length > 1 && (
          <NativeSelect
            label="Sheet"
            value={choices.sheet ?? description.sheet ?? ''}
            onChange={(event) => {
              setChoices({ ...choices, sheet: event.currentTarget.value });
              setColumn(null);
            }}
            data={[...description.sheets]}
          />
        )}
        <Checkbox
          label="First row holds column names"
          mt={{ xs: 30 }}
          checked={choices.header ?? description.header !== null}
          onChange={(event) => setChoices({ ...choices, header: event.currentTarget.checked })}
        />
      </SimpleGrid>
      {unreadable && (
        <Alert color="red" icon={<Icon name="warning" />} title="It cannot be read like that" role="alert">
          {sentenceOf(unreadable)}
        </Alert>
      )}
      <ListPreview description={description} column={column} counts={sent?.counts ?? null} />
      {isTooLong && (
        <Alert color="orange" icon={<Icon name="warning" />} title="Too many addresses for one list">
          A list holds {formatNumber(MOST_PARTS * PART_SIZE)} at most. Split the file.
        </Alert>
      )}
      {balance.error && !balance.data ? (
        <ErrorState error={balance.error} retry={() => void balance.refetch()} />
      ) : nothingToSend ? (
        <Alert color="orange" icon={<Icon name="warning" />} title="No entry of this column is an address">
          Choose the column that holds the addresses.
        </Alert>
      ) : (
        <PricePanel
          mode={mode}
          onMode={setMode}
          price={price}
          balance={balance.data ?? null}
          addresses={sent?.counts.addresses ?? null}
          isCounting={place !== null}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name of the list"
          value={listName}
          maxLength={100}
          onChange={(event) => setListName(event.currentTarget.value)}
        />
        <Checkbox
          label="Keep on this computer for 7 days"
          description="So that the download needs no second choosing. The file stays in this browser and is removed when you sign out."
          mt={{ sm: 24 }}
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
      </SimpleGrid>
      <Failure error={failure} />
      <Group>
        <Button
          onClick={() => {
            if (sent) void start(sent);
          }}
          loading={starting}
          disabled={!sent || nothingToSend || isTooLong || price === null || price.missing > 0 || described.isError}
        >
          Start
        </Button>
        {asks && (
          <Text size="sm" c="dimmed">
            Choose the column first.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
