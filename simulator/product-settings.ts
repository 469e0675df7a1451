import { loadConfig } from '../src/platform/config/load-config.js';
import { politenessOptions } from '../src/platform/politeness/politeness-options.js';
import { BACK_OFF } from '../src/platform/politeness/refusals.js';
import type { Service } from './simulation.js';

/** What has no default; the model uses none of it. */
const REQUIRED = {
  DATABASE_URL: 'mysql://user:password@mysql.example.com/mailvet',
  REDIS_URL: 'redis://redis.example.com',
  ADDRESS_HASH_SECRET: '1:not-used-by-the-model',
  SMTP_HELO_NAME: 'verify.example.com',
};

export type ProductSettings = Pick<Service, 'concurrency' | 'limits' | 'backOff' | 'deadlineMs' | 'greylistRetryMs'> & {
  /** How long a worker waits for a connection to a mail host. */
  readonly connectTimeoutMs: number;
};

/** The settings of a worker whose operator has set nothing. */
export function productSettings(): ProductSettings {
  const { worker, probes, smtp } = loadConfig('worker', REQUIRED).config;
  const { limits, providerStrikes, firstPauseMs } = politenessOptions(smtp);
  return {
    concurrency: worker.concurrency,
    limits,
    backOff: {
      providerStrikes: providerStrikes ?? BACK_OFF.providerStrikes,
      firstPauseMs: firstPauseMs ?? BACK_OFF.firstPauseMs,
    },
    deadlineMs: probes.deadlineMs,
    greylistRetryMs: probes.greylistRetryMs,
    connectTimeoutMs: smtp.connectTimeoutMs,
  };
}
