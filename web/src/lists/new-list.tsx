import { Alert, Button, Group, Stack } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../components/icons';
import { Section } from '../components/page';
import { Lines } from '../components/states';
import { CheckedFile } from './checked-file';
import { FileChooser } from './file-chooser';
import { sentenceOf } from './file/file-refusal';
import { ListFile } from './file/list-file';
import type { FileDescription } from './file/open-list-file';
import { isHeld } from './held-files';

/** Where a file is: chosen, read, refused with a sentence, or looked at. */
type Stage =
  | { readonly name: 'chosen' | 'reading' }
  | { readonly name: 'refused'; readonly sentence: string }
  | { readonly name: 'checked'; readonly file: ListFile; readonly description: FileDescription };

/** From a file to a list: choose, look, start. */
export function NewList() {
  const [file, setFile] = useState<File | null>(null);
  const [stage, setStage] = useState<Stage>({ name: 'chosen' });
  const open = useRef<ListFile | null>(null);
  const close = useCallback(() => {
    if (open.current !== null && !isHeld(open.current)) open.current.close();
    open.current = null;
  }, []);
  // A file that no list was made of is not needed when the page is left.
  useEffect(() => close, [close]);

  const choose = (chosen: File) => {
    close();
    setFile(chosen);
    setStage({ name: 'chosen' });
  };
  const check = async (chosen: File) => {
    setStage({ name: 'reading' });
    const opened = new ListFile(chosen);
    open.current = opened;
    try {
      setStage({ name: 'checked', file: opened, description: await opened.describe() });
    } catch (error) {
      close();
      setStage({ name: 'refused', sentence: sentenceOf(error) });
    }
  };

  return (
    <Section title="Check a list">
      <Stack>
        <FileChooser file={file} onChoose={choose} compact={stage.name === 'checked'} />
        {stage.name === 'refused' && (
          <Alert color="red" icon={<Icon name="warning" />} title="This file cannot be checked" role="alert">
            {stage.sentence}
          </Alert>
        )}
        {stage.name === 'reading' && (
          <div role="status" aria-label="Reading the file">
            <Lines count={4} />
          </div>
        )}
        {stage.name === 'checked' && file ? (
          <CheckedFile
            file={stage.file}
            name={file.name}
            first={stage.description}
            key={file.name + file.lastModified}
          />
        ) : (
          <Group>
            <Button
              disabled={file === null}
              loading={stage.name === 'reading'}
              onClick={() => {
                if (file) void check(file);
              }}
            >
              Check file
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
