import { callScriptFunction } from './script-function.js';

const plan = (missing: string[], facts: { isRoot: boolean; hasApt: boolean }) =>
  callScriptFunction('server-packages.mjs', 'planInstall', missing, facts);

describe('missing servers', () => {
  it('need no action if none is missing', async () => {
    expect(await plan([], { isRoot: false, hasApt: false })).toEqual({ kind: 'nothing' });
  });

  it('as root with apt, are installed without packages that bring a system service', async () => {
    const { kind, packages } = (await plan(['mariadb', 'redis'], { isRoot: true, hasApt: true })) as {
      kind: string;
      packages: string[];
    };
    expect(kind).toBe('apt');
    expect(packages).toEqual(['mariadb-server-core', 'mariadb-client-core', 'redis-tools']);
  });

  it('are the only ones installed', async () => {
    expect(await plan(['redis'], { isRoot: true, hasApt: true })).toEqual({ kind: 'apt', packages: ['redis-tools'] });
  });

  it.each([
    { isRoot: false, hasApt: true },
    { isRoot: true, hasApt: false },
    { isRoot: false, hasApt: false },
  ])('elsewhere cause one message with every way to get them (%j)', async (facts) => {
    const { kind, message } = (await plan(['mariadb', 'redis'], facts)) as { kind: string; message: string };
    expect(kind).toBe('tell');
    expect(message).toContain('sudo apt-get install --no-install-recommends mariadb-server-core');
    expect(message).toContain('sudo dnf install mariadb-server valkey');
    expect(message).toContain('brew install mariadb redis');
    expect(message).toContain('docker compose -f docker/compose.yml up');
    expect(message).toContain('DATABASE_URL and REDIS_URL');
  });

  it('are the only ones in the message', async () => {
    const { message } = (await plan(['mariadb'], { isRoot: false, hasApt: true })) as { message: string };
    const ofBoth = /^ *Or run both in containers:.*$/m;
    expect(message).toMatch(ofBoth);
    expect(message.replace(ofBoth, '')).not.toMatch(/redis/i);
  });
});
