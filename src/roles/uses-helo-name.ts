import type { Settings } from '../platform/config/load-config.js';
import type { QueueName } from '../platform/config/queue-names.js';

/** Their workers ask mail hosts. */
const PROBING: readonly QueueName[] = ['smtp-probe', 'job-batch'];

/** Whether the process names itself `SMTP_HELO_NAME` to mail hosts: each entry of `SMTP_EGRESS` has a name of its own. */
export function usesHeloName({ config, secrets }: Settings): boolean {
  const { role, probes, worker } = config;
  const asksMailHosts = role === 'worker' ? PROBING.some((queue) => worker.queues.includes(queue)) : probes.here;
  return asksMailHosts && secrets.smtpEgress.length === 0;
}
