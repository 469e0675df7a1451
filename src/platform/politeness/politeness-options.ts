import type { AppConfig } from '../config/app-config.js';
import { LABORATORY_LIMITS, USUAL_LIMITS } from './limits.js';
import type { RedisPolitenessOptions } from './redis-politeness.js';
import type { BackOffOptions } from './refusals.js';

const LABORATORY_BACK_OFF: BackOffOptions = { providerStrikes: Number.POSITIVE_INFINITY, firstPauseMs: 1000 };

/**
 * The operator's options, else the defaults. In a laboratory, hosts of all kinds may share a domain and are asked as
 * fast as they answer: limits are wide, a provider is never backed off as a whole, and a domain's first pause is a
 * second. The provider table applies there too.
 */
export function politenessOptions(
  smtp: Pick<AppConfig['smtp'], 'allowPrivateNetworks' | 'maxConnections' | 'recipientsPerMinute'>,
): RedisPolitenessOptions {
  const usual = smtp.allowPrivateNetworks ? LABORATORY_LIMITS : USUAL_LIMITS;
  return {
    limits: {
      maxConnections: smtp.maxConnections ?? usual.maxConnections,
      recipientsPerMinute: smtp.recipientsPerMinute ?? usual.recipientsPerMinute,
    },
    ...(smtp.allowPrivateNetworks && LABORATORY_BACK_OFF),
  };
}
