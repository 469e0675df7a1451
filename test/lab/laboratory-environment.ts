import type { Laboratory } from './laboratory.js';
import { PROBER_NAME } from './world.js';

/** The variables with which the product asks a laboratory. */
export function laboratoryEnvironment({
  dnsServer,
  smtpPort,
}: Pick<Laboratory, 'dnsServer' | 'smtpPort'>): Record<string, string> {
  return {
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    SMTP_HELO_NAME: PROBER_NAME,
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
  };
}
