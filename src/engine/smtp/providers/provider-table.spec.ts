import { PROVIDER_TABLE } from './provider-table.js';

describe('PROVIDER_TABLE', () => {
  it('names each provider and each host once', () => {
    const ids = PROVIDER_TABLE.map(({ id }) => id);
    const hosts = PROVIDER_TABLE.flatMap((row) => row.hosts);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(hosts).size).toBe(hosts.length);
  });

  it.each(PROVIDER_TABLE.map((row) => [row.id, row] as const))('%s is complete', (id, row) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(row.reason).toMatch(/^.{20,400}\.$/);
    expect(row.hosts.length).toBeGreaterThan(0);
    for (const host of row.hosts) expect(host).toMatch(/^([a-z0-9-]+\.(\*\.)?)+[a-z0-9-]+$/);
    for (const limit of Object.values(row.limits)) expect(limit).toBeGreaterThanOrEqual(1);
  });

  it('skips the probe only for services that accept mail for programs', () => {
    const always = PROVIDER_TABLE.filter(({ acceptsAll }) => acceptsAll === 'always');
    expect(always.map(({ kind }) => kind)).toEqual(always.map(() => 'inbound-api'));
  });

  it('never trusts an acceptance by a gateway alone', () => {
    const gateways = PROVIDER_TABLE.filter(({ kind }) => kind === 'gateway');
    expect(gateways.length).toBeGreaterThan(9);
    for (const { acceptsAll } of gateways) expect(acceptsAll).toBe('sometimes');
  });

  it('asks a random recipient in its own session if a provider takes one a session', () => {
    const one = PROVIDER_TABLE.filter(({ limits }) => limits.recipientsPerSession === 1).map(({ id }) => id);
    expect(one).toEqual(expect.arrayContaining(['outlook-consumer', 'gmx', 'ukrnet']));
  });
});
