import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, ApiError } from '../api/client';
import { forgetAllFiles } from '../lists/kept-files';
import type { Me, Membership, Role } from '../api/types';
import { ME } from './query-client';

export function useMe() {
  return useQuery({ queryKey: ME, queryFn: ({ signal }) => api.get<Me>('/me', { signal }), staleTime: 60_000 });
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

const ORDER: readonly Role[] = ['viewer', 'member', 'developer', 'owner'];

export function hasRole(role: Role, least: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(least);
}

export interface Account extends Membership {
  /** Whether one's role here is at least this one. */
  can(least: Role): boolean;
  /** `/keys` → `/accounts/<id>/keys`, a path of the API. */
  path(path: string): string;
  /** `/keys` → `/a/<id>/keys`, a path of the page. */
  link(path: string): string;
  /** A query's key within the account, so that two accounts never share an answer. */
  key(...parts: readonly unknown[]): readonly unknown[];
}

export function accountOf(membership: Membership): Account {
  return {
    ...membership,
    can: (least) => hasRole(membership.role, least),
    path: (path) => `/accounts/${membership.id}${path}`,
    link: (path) => `/a/${membership.id}${path}`,
    key: (...parts) => ['account', membership.id, ...parts],
  };
}

const AccountContext = createContext<Account | null>(null);
export const AccountProvider = AccountContext.Provider;

/** The account whose page this is. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('This is used outside of an account’s pages.');
  return account;
}

export function useOptionalAccount(): Account | null {
  return useContext(AccountContext);
}

/** Names of what the browser stores for the user who is signed in begin with this. */
export const KEPT_PREFIX = 'mailvet';

/** Removes what the browser has kept for the user: files of lists, drafts. */
async function forgetWhatWasKept(): Promise<void> {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith(`${KEPT_PREFIX}.`)) storage.removeItem(name);
  }
  await forgetAllFiles();
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await api.post('/sign-out');
    } catch (error) {
      if (!isSignedOut(error)) throw error;
    }
    await forgetWhatWasKept();
    client.clear();
    globalThis.location.assign('/sign-in');
  };
}
