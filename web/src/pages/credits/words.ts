import type { IconName } from '../../components/icons';
import { humanise } from '../../components/format';

export const KINDS: Readonly<Record<string, { label: string; icon: IconName }>> = {
  grant: { label: 'Grant', icon: 'plus' },
  charge: { label: 'Charge', icon: 'verify' },
  refund: { label: 'Refund', icon: 'refresh' },
  closing: { label: 'Carried over', icon: 'forward' },
};

const ENDPOINTS: Readonly<Record<string, string>> = { single: 'Single check', batch: 'Batch', job: 'Job or list' };

export function endpointName(endpoint: string | null): string | null {
  return endpoint === null ? null : (ENDPOINTS[endpoint] ?? humanise(endpoint));
}
