import { ActionIcon, Box, Button, CopyButton, Group, Tooltip } from '@mantine/core';
import { Icon } from './icons';

/** A small button beside a value. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label} withArrow>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : label}>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CopyTextButton({ value, children = 'Copy' }: { value: string; children?: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        >
          {copied ? 'Copied' : children}
        </Button>
      )}
    </CopyButton>
  );
}

/** Something to take along, such as a key or a link: the whole value can be selected, and copied with one click. */
export function CopyField({ value, label }: { value: string; label: string }) {
  return (
    <Group wrap="nowrap" gap="xs" className="mv-card" px="sm" py={6}>
      <Box
        component="output"
        aria-label={label}
        ff="monospace"
        fz="sm"
        style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', userSelect: 'all' }}
      >
        {value}
      </Box>
      <CopyIcon value={value} label={`Copy ${label.toLowerCase()}`} />
    </Group>
  );
}

/** Code to copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Box pos="relative">
      <pre className="mv-code" tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <Box pos="absolute" top={8} right={8}>
        <CopyTextButton value={code} />
      </Box>
    </Box>
  );
}
