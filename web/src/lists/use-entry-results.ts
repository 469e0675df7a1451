import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, withQuery } from '../api/client';
import type { List, ListResults } from '../api/types';
import { useAccount } from '../app/session';
import { ResultColumns } from './entry-results';

const PAGE = 5000;

/** All results of a list, read page by page. They do not change any more. */
export function useEntryResults(list: List) {
  const account = useAccount();
  const [loaded, setLoaded] = useState(0);
  const query = useQuery({
    queryKey: account.key('list-results', list.id),
    queryFn: async ({ signal }) => {
      const columns = new ResultColumns();
      for (let offset = 0; ; offset += PAGE) {
        const path = withQuery(account.path(`/lists/${list.id}/results`), { offset, limit: PAGE });
        const { results, total } = await api.get<ListResults>(path, { signal });
        columns.add(results);
        setLoaded(columns.email.length);
        if (results.length === 0 || columns.email.length >= total) return columns;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return { ...query, loaded };
}
