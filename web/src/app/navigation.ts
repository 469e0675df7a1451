import type { IconName } from '../components/icons';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
}

/** The pages of an account, in the order of the navigation. */
export const NAVIGATION: readonly Place[] = [
  { path: '/overview', name: 'Overview', icon: 'overview' },
  { path: '/verify', name: 'Verify', icon: 'verify' },
  { path: '/lists', name: 'Lists', icon: 'lists' },
  { path: '/domains', name: 'Domains', icon: 'domains' },
  { path: '/keys', name: 'API keys', icon: 'keys' },
  { path: '/guard', name: 'Guard', icon: 'guard' },
  { path: '/webhooks', name: 'Webhooks', icon: 'webhooks' },
  { path: '/credits', name: 'Credits', icon: 'credits' },
  { path: '/security', name: 'Team and security', icon: 'security' },
];
