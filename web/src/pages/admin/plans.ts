import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

type Plan = string | { readonly name: string };

/** The names of the plans. */
export function usePlans(): string[] {
  const { data } = useQuery({
    queryKey: ['admin', 'plans'],
    queryFn: ({ signal }) => api.get<{ plans: Plan[] }>('/admin/plans', { signal }),
    staleTime: 300_000,
  });
  return (data?.plans ?? []).map((plan) => (typeof plan === 'string' ? plan : plan.name));
}
