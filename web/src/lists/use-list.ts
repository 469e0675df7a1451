import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, apiAddress } from '../api/client';
import type { List } from '../api/types';
import { useAccount } from '../app/session';

const POLL_MS = 2000;
/** After so long without an event the page asks by itself: a proxy may hold the stream back. */
const SILENCE_MS = 5000;

/** A list, followed by server-sent events while it runs, and by asking where they do not arrive. */
export function useList(id: string) {
  const account = useAccount();
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  const query = useQuery({
    queryKey: account.key('list', id),
    queryFn: ({ signal }) => api.get<List>(account.path(`/lists/${id}`), { signal }),
    refetchInterval: ({ state }) => (isLive || state.data?.status === 'completed' ? false : POLL_MS),
  });
  const isRunning = query.data !== undefined && query.data.status !== 'completed';
  useEffect(() => {
    if (!isRunning) return undefined;
    const key = account.key('list', id);
    const source = new EventSource(apiAddress(account.path(`/lists/${id}/events`)));
    let silence: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      setLive(true);
      clearTimeout(silence);
      silence = setTimeout(() => setLive(false), SILENCE_MS);
      client.setQueryData(key, JSON.parse(data) as List);
    });
    // The server ends the stream with the list; the browser would open it again.
    source.addEventListener('end', () => {
      source.close();
      setLive(false);
      void client.invalidateQueries({ queryKey: key });
    });
    source.addEventListener('error', () => setLive(false));
    return () => {
      clearTimeout(silence);
      source.close();
      setLive(false);
    };
  }, [account, client, id, isRunning]);
  return query;
}
