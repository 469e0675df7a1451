import { ConfigFault } from './config-fault.js';
import { loadConfig, loadEngineConfig } from './load-config.js';

const MINIMAL = { DATABASE_URL: 'mysql://app:s%40cret@db.example.com/mailvet' };

function faults(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigFault) return error.lines;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('applies every default if only the database is set', () => {
    const { config, secrets } = loadConfig('api', MINIMAL);
    expect(config.http).toEqual({ host: '0.0.0.0', port: 3000, trustedProxies: [] });
    expect(config.dns).toEqual({ servers: [], timeoutMs: 3000 });
    expect(config.smtp).toMatchObject({ port: 25, allowPrivateNetworks: false, greetingTimeoutMs: 40_000 });
    expect(config.smtp.mailFrom).toBeNull();
    expect(secrets.smtpEgress).toEqual([]);
    expect(config.rateLimit).toEqual({ authFailuresPerMinute: 30, failOpenMs: 30_000 });
    expect(config.billing).toEqual({ answerHours: 24 });
    expect(config.shutdown).toEqual({ delayMs: 5000, graceMs: 25_000 });
    expect(secrets.database).toEqual({
      host: 'db.example.com',
      port: 3306,
      others: [],
      user: 'app',
      password: 's@cret',
      database: 'mailvet',
      tls: false,
    });
  });

  it('says what a file of variables has left around a value', () => {
    const env = { ...MINIMAL, PORT: '3000\r', OIDC_CLIENT_SECRET: 'x ', NODE_ENV: '"production"', HOST: "it's" };
    expect(faults(() => loadConfig('api', env))).toEqual([
      'NODE_ENV: must stand without quotes: they would be part of the value',
      'PORT: must not end with a carriage return: save the file it comes from with Unix line ends',
      'HOST: must be an IP address or a host name',
    ]);
    expect(faults(() => loadConfig('console', { ...MINIMAL, CONSOLE_HOST: '::1 ' }))).toEqual([
      'CONSOLE_HOST: must not begin or end with white space',
    ]);
  });

  it('tells a database that is not named from one that is written wrongly', () => {
    const form = 'as mysql://user:password@host:port/database (?ssl=true for TLS)';
    expect(faults(() => loadConfig('api', {}))).toEqual([`DATABASE_URL: is required, ${form}`]);
    expect(faults(() => loadConfig('api', { DATABASE_URL: 'mysql://app:pa/s#s@db/mailvet' }))).toEqual([
      `DATABASE_URL: must be written ${form}, a / ? # or % of user or password percent-encoded`,
    ]);
  });

  it('lets a worker serve every queue, or the named ones', () => {
    expect(loadConfig('worker', MINIMAL).config.worker).toEqual({
      queues: ['smtp-probe', 'job-batch', 'domain-crawl', 'webhook-delivery', 'maintenance'],
      concurrency: 50,
    });
    const some = loadConfig('worker', { ...MINIMAL, WORKER_QUEUES: 'maintenance, smtp-probe,maintenance' });
    expect(some.config.worker.queues).toEqual(['smtp-probe', 'maintenance']);
    const lines = faults(() => loadConfig('worker', { ...MINIMAL, WORKER_QUEUES: 'smtp-probe,smpt-probe' }));
    expect(lines).toEqual([
      'WORKER_QUEUES: must be a comma list of smtp-probe, job-batch, domain-crawl, webhook-delivery, maintenance',
    ]);
  });

  it('gives the console a port and an origin of its own, and has it make no probe', () => {
    const { config, secrets } = loadConfig('console', {
      ...MINIMAL,
      HOST: 'not a host',
      PORT: '8080',
      PROBE_IN_API: 'true',
    });
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 3002 });
    expect(config.metrics.port).toBe(9465);
    expect(config.probes.here).toBe(false);
    expect(config.console).toEqual({
      port: 3002,
      origin: null,
      topupUrl: null,
      oidc: null,
    });
    expect(config.publicUrl).toBe('http://127.0.0.1:8080');
    expect(secrets.oidcClientSecret).toBeNull();
  });

  it('takes a client of OpenID Connect whole or not at all', () => {
    const client = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'mailvet', OIDC_CLIENT_SECRET: 'secret' };
    const { config, secrets } = loadConfig('console', { ...MINIMAL, ...client });
    expect(config.console.oidc).toEqual({ issuer: 'https://id.example.com', clientId: 'mailvet' });
    expect(secrets.oidcClientSecret).toBe('secret');
    const lines = faults(() => loadConfig('console', { ...MINIMAL, OIDC_CLIENT_ID: 'mailvet' }));
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual(['OIDC_ISSUER', 'OIDC_CLIENT_SECRET']);
    expect(faults(() => loadConfig('api', { ...MINIMAL, OIDC_CLIENT_ID: 'mailvet' }))).toEqual([]);
  });

  it('reports all faults at once, one line each, naming variable and rule', () => {
    const lines = faults(() => loadConfig('api', { PORT: 'abc', DATABASE_URL: '' }));
    expect(lines).toHaveLength(2);
    expect(lines).toContain('PORT: must be a whole number from 0 to 65535');
    expect(lines.find((line) => line.startsWith('DATABASE_URL: '))).toContain('is required');
  });

  it('never repeats a value, which may be a secret', () => {
    const secret = 'hunter2';
    const env = {
      DATABASE_URL: `postgres://u:${secret}@h/d`,
      REDIS_URL: secret,
      PORT: secret,
      HOST: `${secret}!`,
      TRUST_PROXY: secret,
      DNS_SERVERS: secret,
      SMTP_MAIL_FROM: secret,
      SMTP_HELO_NAME: `${secret}_`,
      SMTP_EGRESS: `socks5://u:${secret}@h,${secret}`,
      SMTP_ALLOW_PRIVATE_NETWORKS: secret,
      ADDRESS_HASH_SECRET: secret,
      KEY_PREFIX: `${secret}_`,
      LOG_LEVEL: secret,
    };
    const lines = faults(() => loadConfig('api', env));
    expect(lines).toHaveLength(Object.keys(env).length);
    expect(lines.join('\n')).not.toContain(secret);
  });

  it('has a default address key in development, and requires one in production', () => {
    expect(loadConfig('api', MINIMAL).secrets.addressKeys).toEqual([{ id: 0, key: expect.any(String) }]);
    const production = { ...MINIMAL, NODE_ENV: 'production' };
    for (const role of ['api', 'worker', 'cli'] as const) {
      const lines = faults(() => loadConfig(role, { ...production, ADDRESS_HASH_SECRET: '' }));
      expect(lines).toEqual([expect.stringMatching(/^ADDRESS_HASH_SECRET: is required/)]);
    }
    expect(faults(() => loadConfig('api', { ...production, PORT: 'abc' }))).toHaveLength(2);
    const { secrets } = loadConfig('worker', { ...production, ADDRESS_HASH_SECRET: '3:a key that is long enough' });
    expect(secrets.addressKeys).toEqual([{ id: 3, key: 'a key that is long enough' }]);
    expect(loadEngineConfig({ NODE_ENV: 'production' }).config.smtp.port).toBe(25);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig('api', { ...MINIMAL, PORT: '', TRUST_PROXY: '', KEY_PREFIX: '' })).toEqual(
      loadConfig('api', MINIMAL),
    );
  });

  it.each(['1', 'yes', 'TRUE', 'on'])('rejects %p for a switch', (text) => {
    expect(faults(() => loadConfig('api', { ...MINIMAL, SMTP_ALLOW_PRIVATE_NETWORKS: text }))).toEqual([
      'SMTP_ALLOW_PRIVATE_NETWORKS: must be true or false',
    ]);
  });

  it.each(['1e3', '0x50', ' 80', '80 ', '-1', '65536', '3.5'])('rejects the port %p', (text) => {
    expect(faults(() => loadConfig('api', { ...MINIMAL, PORT: text }))).toHaveLength(1);
  });

  it('gives each role its own port, and ignores variables of other roles', () => {
    const env = { ...MINIMAL, PORT: '8080', WORKER_PORT: 'abc' };
    expect(loadConfig('api', env).config.http.port).toBe(8080);
    expect(faults(() => loadConfig('worker', env))).toHaveLength(1);
    expect(loadConfig('cli', { ...env, PORT: 'abc', SMTP_PORT: 'abc' }).secrets.database.database).toBe('mailvet');
  });

  it('reads lists of DNS servers and of trusted networks', () => {
    const { config } = loadConfig('api', {
      ...MINIMAL,
      DNS_SERVERS: '127.0.0.1:5353, ::1, [::1]:54',
      TRUST_PROXY: '10.0.0.0/8,2001:db8::/32,192.0.2.1',
    });
    expect(config.dns.servers).toEqual([
      { address: '127.0.0.1', port: 5353 },
      { address: '::1', port: 53 },
      { address: '::1', port: 54 },
    ]);
    expect(config.http.trustedProxies).toEqual(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
  });

  it.each<[Record<string, string>, readonly string[]]>([
    [{}, ['gmail.com', 'outlook.com', 'yahoo.com']],
    [{ SMTP_ALLOW_PRIVATE_NETWORKS: 'true' }, []],
    [{ SMTP_PORT: '2525' }, []],
    [{ SMTP_CHECK_DOMAINS: 'none' }, []],
    [{ SMTP_CHECK_DOMAINS: 'Example.com, example.net', SMTP_PORT: '2525' }, ['example.com', 'example.net']],
  ])(
    'asks well-known mail hosts whether the port is open only on the internet, or when told to: %j',
    (env, domains) => {
      expect(loadConfig('api', { ...MINIMAL, ...env }).config.smtp.checkDomains).toEqual(domains);
    },
  );

  it.each(['verify@example.com\r\nRCPT TO:<x@example.net>', '<verify@example.com>', 'a b@example.com', '@example.com'])(
    'takes no envelope sender that could break out of its command: %j',
    (text) => {
      expect(faults(() => loadConfig('api', { ...MINIMAL, SMTP_MAIL_FROM: text }))).toHaveLength(1);
    },
  );
});

describe('loadEngineConfig', () => {
  it('needs no database, and reports the faults of the variables it reads', () => {
    expect(loadEngineConfig({ SMTP_PORT: '2525' }).config.smtp.port).toBe(2525);
    expect(faults(() => loadEngineConfig({ DNS_SERVERS: 'resolver.example.com' }))).toEqual([
      'DNS_SERVERS: entry 1 must be ip, ip:port or [ip6]:port',
    ]);
  });
});
