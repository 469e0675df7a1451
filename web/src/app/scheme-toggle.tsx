import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../components/icons';

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = shown === 'dark' ? 'light' : 'dark';
  const label = `Use the ${other} colour scheme`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => setColorScheme(other)}
      aria-label={label}
      title={label}
    >
      <Icon name={shown === 'dark' ? 'sun' : 'moon'} size={20} />
    </ActionIcon>
  );
}
