import type { IconName } from './icons';

export interface DaySeries {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly icon?: IconName;
}

export type DayRow = { readonly day: string } & Readonly<Record<string, string | number>>;
