import { listVariables, loadConfig, loadEngineConfig } from '../../src/platform/config/load-config.js';
import type { Reader } from '../../src/platform/config/variable-reader.js';

interface Bounds {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

/** The last values on both sides of each bound. */
const whole = (from: number, to: number): Bounds => ({
  taken: [String(from), String(to)],
  refused: [String(from - 1), String(to + 1), '1.5', '1e3', '0x1', ' 1', 'one'],
});
const port = whole(0, 65_535);
const remotePort = whole(1, 65_535);
const milliseconds = whole(1, 600_000);
const pause = whole(0, 600_000);
const truth: Bounds = { taken: ['true', 'false'], refused: ['TRUE', '1', 'yes'] };
const host: Bounds = { taken: ['0.0.0.0', '::1', 'localhost', 'db1.example.com'], refused: ['a b', '!', 'a..b', '-a'] };
const printable = (most: number): Bounds => ({
  taken: ['x', 'x'.repeat(most)],
  refused: ['x'.repeat(most + 1), 'a\nb', 'ä'],
});

const BOUNDS: Readonly<Record<string, Bounds>> = {
  DATABASE_URL: {
    taken: ['mysql://u:p@h/d', 'mysql://u@a,b:3307/d?ssl=true'],
    refused: ['mysql://h', 'postgres://h/d', 'x'],
  },
  DATABASE_REPLICA_URL: { taken: ['mysql://u:p@h/d'], refused: ['mysql://u:p@a,b/d', 'redis://h', 'x'] },
  REDIS_URL: { taken: ['redis://h:1/2', 'rediss+cluster://a,b'], refused: ['mysql://h/d', 'redis://a,b', 'h:6379'] },
  PORT: port,
  HOST: host,
  WORKER_PORT: port,
  WORKER_QUEUES: { taken: ['maintenance', 'job-batch, smtp-probe'], refused: ['smtp', 'job-batch,'] },
  WORKER_CONCURRENCY: whole(1, 1000),
  SMTP_PROBE_QUEUES: whole(1, 32),
  CONSOLE_PORT: port,
  CONSOLE_HOST: host,
  CONSOLE_METRICS_PORT: port,
  CONSOLE_ORIGIN: {
    taken: ['https://console.example.com', 'http://localhost:3002'],
    refused: ['http://console.example.com', 'https://console.example.com/path', 'console.example.com'],
  },
  CONSOLE_TOPUP_URL: {
    taken: ['https://pay.example.com/x', 'mailto:a@example.com'],
    refused: ['javascript:1', '/pay'],
  },
  PUBLIC_URL: { taken: ['https://api.example.com'], refused: ['ftp://api.example.com', 'https://h/?q', 'h'] },
  OIDC_ISSUER: { taken: ['https://id.example.com'], refused: ['http://id.example.com', 'id.example.com'] },
  OIDC_CLIENT_ID: printable(255),
  OIDC_CLIENT_SECRET: printable(512),
  METRICS_PORT: port,
  METRICS_TOKEN: { taken: ['x'.repeat(16)], refused: ['x'.repeat(15), `${'x'.repeat(16)} `] },
  TRUST_PROXY: { taken: ['10.0.0.0/8,::1', '192.0.2.1'], refused: ['10.0.0.0/33', '::/129', 'balancer', '10.0.0.1,'] },
  AUTH_FAILURES_PER_MINUTE: whole(1, 1_000_000),
  DNS_SERVERS: {
    taken: ['192.0.2.1,[::1]:54'],
    refused: ['192.0.2.1:0', 'resolver', Array(9).fill('192.0.2.1').join()],
  },
  DNS_TIMEOUT_MS: milliseconds,
  SMTP_PORT: remotePort,
  SMTP_HELO_NAME: { taken: ['mx.example.com'], refused: ['mx', 'mx_1.example.com'] },
  SMTP_MAIL_FROM: { taken: ['verify@example.com'], refused: ['verify', '<verify@example.com>'] },
  SMTP_CONNECT_TIMEOUT_MS: milliseconds,
  SMTP_GREETING_TIMEOUT_MS: milliseconds,
  SMTP_COMMAND_TIMEOUT_MS: milliseconds,
  SMTP_EGRESS: { taken: ['198.51.100.7=mx1.example.com'], refused: ['198.51.100.7', 'http://h:1=mx.example.com'] },
  SMTP_ALLOW_PRIVATE_NETWORKS: truth,
  SMTP_MAX_CONNECTIONS: whole(1, 1000),
  SMTP_RECIPIENTS_PER_MINUTE: whole(1, 60_000),
  SMTP_CHECK_DOMAINS: { taken: ['none', 'example.com, example.net'], refused: ['example', 'example.com,'] },
  VERIFY_DEADLINE_MS: milliseconds,
  PROBE_DEADLINE_MS: milliseconds,
  PROBE_IN_API: truth,
  GUARD_DEADLINE_MS: milliseconds,
  GREYLIST_RETRY_MS: whole(0, 3_600_000),
  DNSBL_ZONES: { taken: ['none', 'bl.example.com=ip'], refused: ['bl', 'bl.example.com=x', 'a.example,a.example'] },
  LIST_URLS: {
    taken: ['role=https://example.com/x'],
    refused: ['other=https://example.com', 'role=ftp://example.com'],
  },
  HTTPS_PORT: remotePort,
  ADDRESS_HASH_SECRET: {
    taken: ['x'.repeat(16), `255:${'x'.repeat(1024)}`],
    refused: ['x'.repeat(15), `256:${'x'.repeat(16)}`, `0:${'x'.repeat(16)}`, `1:${'x'.repeat(1025)}`],
  },
  KEY_PREFIX: { taken: ['m', 'a123456789012345'], refused: ['M', '1m', 'a1234567890123456', 'm_'] },
  RATE_LIMIT_FAIL_OPEN_MS: pause,
  IDEMPOTENCY_TTL_HOURS: whole(1, 8760),
  LOG_LEVEL: { taken: ['trace', 'silent'], refused: ['INFO', 'verbose'] },
  SHUTDOWN_DELAY_MS: pause,
  SHUTDOWN_GRACE_MS: pause,
};

/** These are set together. */
const OIDC = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' };
const READERS: readonly Reader[] = ['api', 'worker', 'console', 'cli', 'engine'];
const variables = listVariables();

it('is known of every variable but the one that takes any text', () => {
  expect([...Object.keys(BOUNDS), 'NODE_ENV'].sort()).toEqual([...variables.keys()].sort());
});

describe.each(Object.entries(BOUNDS))('%s', (name, { taken, refused }) => {
  const { readBy } = variables.get(name)!;

  it.each(READERS)('has bounds in %s where that reads it, and none where it does not', (reader) => {
    const isRead = readBy.includes(reader);
    for (const text of taken) expect([text, faultsOf(reader, name, text)]).toEqual([text, []]);
    for (const text of refused) {
      const faults = isRead ? [expect.stringMatching(`^${name}: `)] : [];
      expect([text, faultsOf(reader, name, text)]).toEqual([text, faults]);
    }
  });
});

describe.each([...variables])('%s', (name, { readBy }) => {
  const value = BOUNDS[name]?.taken[0] ?? 'production';

  it.each([
    ['a carriage return', `${value}\r`],
    ['a line end', `${value}\n`],
    ['a space', ` ${value}`],
    ['white space', `${value}\u00a0`],
    ['nothing but a space', ' '],
    ['quotes', `"${value}"`],
    ['single quotes', `'${value}'`],
  ])('is refused with %s that a file of variables leaves around it', (_, text) => {
    for (const reader of readBy) {
      expect(faultsOf(reader, name, text)).toEqual([expect.stringMatching(`^${name}: must (not|stand)`)]);
    }
  });
});

function faultsOf(reader: Reader, name: string, text: string): readonly string[] {
  const env = { DATABASE_URL: 'mysql://u:p@h/d', ...(name in OIDC ? OIDC : {}), [name]: text };
  try {
    if (reader === 'engine') loadEngineConfig(env);
    else loadConfig(reader, env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}
