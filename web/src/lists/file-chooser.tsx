import { Text } from '@mantine/core';
import { useId, useState, type DragEvent } from 'react';
import { Icon } from '../components/icons';
import classes from './file-chooser.module.css';

/** An area to drop a file on, or to click for choosing one. The file stays in the browser. */
export function FileChooser({
  file,
  onChoose,
  compact = false,
}: {
  file: File | null;
  onChoose: (file: File) => void;
  compact?: boolean;
}) {
  const [isOver, setOver] = useState(false);
  const hint = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onChoose(dropped);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only dropping: the field inside is what the keyboard reaches
    <label
      className={classes.area}
      data-over={isOver || undefined}
      data-compact={compact || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        className={classes.input}
        aria-label="List file"
        aria-describedby={hint}
        accept=".csv,.tsv,.txt,.tab,.xlsx,text/csv,text/plain,text/tab-separated-values,*/*"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) onChoose(chosen);
          // So that the same file can be chosen again after it was changed.
          event.currentTarget.value = '';
        }}
      />
      <Text component="span" c={file ? undefined : 'dimmed'} lh={0}>
        <Icon name={file ? 'lists' : 'tray'} size={compact ? 22 : 32} />
      </Text>
      <Text component="span" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {file ? file.name : 'Drop a file here, or click to choose one'}
      </Text>
      <Text component="span" size="sm" c="dimmed" id={hint}>
        {file
          ? `${formatSize(file.size)}. Click to choose another file.`
          : 'CSV, TSV, TXT or XLSX, with or without column names. It is read in your browser: only the addresses are sent.'}
      </Text>
    </label>
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
