import { Registry } from 'prom-client';
import { dnsHealth, dnsWarning, showDnsTroubles } from './dns-watch.js';

describe('resolver warnings for operators', () => {
  it('are empty while the resolver works', () => {
    expect(dnsHealth([[]])).toEqual({
      state: [{ server: 1, answers: true, edns: true, definite: true }],
      warnings: [],
    });
  });

  it('name the server, the effect and the remedy, and show no address in readiness', () => {
    const { state, warnings } = dnsHealth([[], ['no_edns', 'not_definite', 'silent']]);
    expect(state).toEqual([
      { server: 1, answers: true, edns: true, definite: true },
      { server: 2, answers: false, edns: false, definite: false },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/^DNS server 2 does not answer EDNS/),
      expect.stringMatching(/^DNS server 2 .*filters.*does not recurse.*DNS_SERVERS$/),
      expect.stringMatching(/^DNS server 2 does not answer, .*503/),
    ]);
    expect(dnsWarning('192.0.2.53:53', 'not_definite')).toContain('DNS server 192.0.2.53:53 ');
  });

  it('are a metric while they last', async () => {
    const registry = new Registry();
    let troubles: ('no_edns' | 'not_definite')[] = ['not_definite'];
    showDnsTroubles(registry, () => [troubles]);
    expect(await registry.metrics()).toContain('mailvet_dns_server_trouble{server="1",trouble="not_definite"} 1');
    troubles = [];
    expect(await registry.metrics()).not.toContain('not_definite');
  });
});
