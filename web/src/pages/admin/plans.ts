import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Plans } from '../../api/types';

/** The names of the plans. */
export function usePlans(): string[] {
  const { data } = useQuery({
    queryKey: ['admin', 'plans'],
    queryFn: ({ signal }) => api.get<Plans>('/admin/plans', { signal }),
    staleTime: 300_000,
  });
  return (data?.plans ?? []).map(({ name }) => name);
}
