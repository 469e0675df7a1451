import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons';

/** Words with an icon before them, on the line of the words beside them. */
export function WithIcon({
  icon,
  color,
  size = 16,
  children,
}: {
  icon: IconName;
  color?: string | undefined;
  size?: number;
  children: ReactNode;
}) {
  return (
    <span className="mv-with-icon">
      <Icon name={icon} color={color} size={size} />
      {children}
    </span>
  );
}
