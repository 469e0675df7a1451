import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query';
import { ApiError } from '../api/client';

/** Who is signed in; whatever finds that nobody is asks for it again, and the page goes to the sign-in. */
export const ME = ['me'] as const;

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

export function makeQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => noticeSignOut(error, query.queryKey) }),
    mutationCache: new MutationCache({ onError: (error) => noticeSignOut(error, []) }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        // Refusals stay refusals; only what may have been a passing fault is tried again.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      },
    },
  });
  function noticeSignOut(error: unknown, key: readonly unknown[]): void {
    if (isSignedOut(error) && key[0] !== ME[0]) void client.invalidateQueries({ queryKey: ME });
  }
  return client;
}
