import { loadConfig } from '../platform/config/load-config.js';
import type { Role } from '../platform/config/variable-reader.js';
import { usesHeloName } from './uses-helo-name.js';

const uses = (role: Role, env: Record<string, string> = {}): boolean =>
  usesHeloName(loadConfig(role, { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing', ...env }));

describe('a process names itself SMTP_HELO_NAME to mail hosts', () => {
  it.each<[Role, Record<string, string>]>([
    ['api', {}],
    ['worker', {}],
    ['worker', { WORKER_QUEUES: 'smtp-probe' }],
    ['worker', { WORKER_QUEUES: 'job-batch,maintenance' }],
  ])('as %s with %j', (role, env) => {
    expect(uses(role, env)).toBe(true);
  });

  it.each<[Role, Record<string, string>]>([
    ['api', { PROBE_IN_API: 'false' }],
    ['api', { SMTP_EGRESS: '198.51.100.7=mx1.example.com' }],
    ['worker', { SMTP_EGRESS: '198.51.100.7=mx1.example.com' }],
    ['worker', { WORKER_QUEUES: 'domain-crawl,webhook-delivery,maintenance' }],
    ['console', {}],
  ])('but not as %s with %j', (role, env) => {
    expect(uses(role, env)).toBe(false);
  });
});
