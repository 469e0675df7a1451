import type { Role } from '../../api/types';

export const ROLES: readonly { value: Role; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'looks at everything, and changes nothing.' },
  { value: 'member', label: 'Member', may: 'verifies addresses and lists, too.' },
  { value: 'developer', label: 'Developer', may: 'makes and ends keys, properties of guards and webhooks, too.' },
  { value: 'owner', label: 'Owner', may: 'invites and removes people and reads the audit, too. There is always one.' },
];
