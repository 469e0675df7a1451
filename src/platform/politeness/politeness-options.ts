import type { SmtpConfig } from '../config/app-config.js';
import { LABORATORY_LIMITS, USUAL_LIMITS } from './limits.js';
import type { RedisPolitenessOptions } from './redis-politeness.js';
import { BACK_OFF } from './refusals.js';

/**
 * What an operator chose, else the usual. In a laboratory hosts of all kinds may share a domain and are asked as fast as
 * they answer: limits are wide there, and an operator is never left alone as a whole. The provider table holds there too.
 */
export function politenessOptions(
  smtp: Pick<SmtpConfig, 'allowPrivateNetworks' | 'maxConnections' | 'recipientsPerMinute'>,
): RedisPolitenessOptions {
  const usual = smtp.allowPrivateNetworks ? LABORATORY_LIMITS : USUAL_LIMITS;
  return {
    limits: {
      maxConnections: smtp.maxConnections ?? usual.maxConnections,
      recipientsPerMinute: smtp.recipientsPerMinute ?? usual.recipientsPerMinute,
    },
    operatorStrikes: smtp.allowPrivateNetworks ? Number.POSITIVE_INFINITY : BACK_OFF.operatorStrikes,
  };
}
