import type { Mode } from '../../api/types';

export const MODES: readonly { value: Mode; label: string; what: string }[] = [
  {
    value: 'quick',
    label: 'Quick',
    what: 'Lists and tables, and what is on record; nobody is asked. Milliseconds.',
  },
  {
    value: 'standard',
    label: 'Standard',
    what: 'The DNS of the domain too: can it receive mail at all? The mailbox itself is not asked for.',
  },
  {
    value: 'enhanced',
    label: 'Enhanced',
    what: 'The mail host too: does it take mail for this very mailbox? A few seconds.',
  },
];
