import { NO_CURATED_LISTS, StaticCuratedLists } from './static-curated-lists.js';

describe('StaticCuratedLists', () => {
  const lists = new StaticCuratedLists(
    [
      { domain: 'evil.example', label: 'impersonates a bank' },
      { domain: 'bad.example', label: null },
    ],
    ['trap.example', 'mx.traps.example.net'],
  );

  it.each([
    ['evil.example', { label: 'impersonates a bank' }],
    ['mail.evil.example', { label: 'impersonates a bank' }],
    ['bad.example', { label: null }],
    ['notevil.example', null],
    ['example', null],
  ])('says of %s: blocked %j', (domain, blocked) => {
    expect(lists.blocked(domain)).toEqual(blocked);
  });

  it.each([
    ['trap.example', [], true],
    ['sub.trap.example', [], true],
    ['example.com', ['mx.example.com', 'mx.traps.example.net'], true],
    ['example.com', ['a.mx.traps.example.net'], true],
    ['example.com', ['traps.example.net'], false],
  ])('says of %s with mail hosts %j: spam trap %s', (domain, hosts, trap) => {
    expect(lists.isSpamTrap(domain, hosts)).toBe(trap);
  });

  it('lists nothing by default', () => {
    expect(NO_CURATED_LISTS.blocked('evil.example')).toBeNull();
    expect(NO_CURATED_LISTS.isSpamTrap('trap.example', ['trap.example'])).toBe(false);
  });
});
