import { Text } from '@mantine/core';
import type { Verdict } from '../api/types';
import type { IconName } from './icons';
import { humanise } from './format';
import { WithIcon } from './with-icon';

export interface VerdictLook {
  readonly label: string;
  readonly icon: IconName;
  /** Fixed colours that people with each kind of colour blindness can tell apart (after Okabe and Ito). */
  readonly color: string;
}

export const VERDICTS: readonly Verdict[] = ['valid', 'catch_all', 'role', 'disposable', 'unknown', 'invalid'];

export const VERDICT_LOOKS: Readonly<Record<Verdict, VerdictLook>> = {
  valid: { label: 'Valid', icon: 'check', color: 'var(--mv-verdict-valid)' },
  invalid: { label: 'Invalid', icon: 'cross', color: 'var(--mv-verdict-invalid)' },
  catch_all: { label: 'Catch-all', icon: 'asterisk', color: 'var(--mv-verdict-catch-all)' },
  disposable: { label: 'Disposable', icon: 'bin', color: 'var(--mv-verdict-disposable)' },
  role: { label: 'Role', icon: 'team', color: 'var(--mv-verdict-role)' },
  unknown: { label: 'Unknown', icon: 'question', color: 'var(--mv-verdict-unknown)' },
};

export function verdictLook(result: string): VerdictLook {
  return VERDICT_LOOKS[result as Verdict] ?? { ...VERDICT_LOOKS.unknown, label: humanise(result) };
}

/** Never by colour alone: an icon and a word beside it. */
export function VerdictBadge({ result, size = 'sm' }: { result: string; size?: 'sm' | 'lg' }) {
  const { label, icon, color } = verdictLook(result);
  return (
    <WithIcon icon={icon} color={color} size={size === 'lg' ? 26 : 16}>
      <Text
        component="span"
        inherit={size === 'sm'}
        fw={size === 'lg' ? 650 : 500}
        fz={size === 'lg' ? 'xl' : undefined}
      >
        {label}
      </Text>
    </WithIcon>
  );
}
