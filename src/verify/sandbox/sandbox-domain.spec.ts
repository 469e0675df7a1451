import { sandboxDomain } from './sandbox-domain.js';

describe('a domain in the sandbox', () => {
  it.each([
    ['ordinary.example', { types: ['company'], spf: true, dmarc_policy: 'none', blocked: false }],
    ['best.example', { dmarc_policy: 'reject', dnssec: 'secure', dane: true }],
    ['disposable.example', { types: ['disposable', 'public'] }],
    ['freemail.example', { types: ['freemail', 'public'] }],
    ['education.example', { types: ['education'] }],
    ['government.example', { types: ['government'] }],
    ['blocked.example', { blocked: true, blocked_label: 'Impersonates a well-known brand', score: 0 }],
    ['unknown.example', { spf: null, dnssec: null }],
  ])('%s is made up by its first label', (name, expected) => {
    expect(sandboxDomain(name)).toMatchObject({ name, ...expected });
  });

  it('is the same every time, whatever its name', () => {
    for (const name of ['shop.example', 'a.b.example', 'xn--bcher-kva.example']) {
      expect(sandboxDomain(name)).toEqual(sandboxDomain(name));
      expect(sandboxDomain(name).name).toBe(name);
    }
  });

  it.each([
    ['ratelimit.example', 'rate_limit_exceeded'],
    ['servererror.example', 'verify_unavailable'],
  ])('%s is the error %s', (name, code) => {
    expect(() => sandboxDomain(name)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
