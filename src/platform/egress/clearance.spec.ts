import { clearance } from './clearance.js';

describe('clearance', () => {
  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fe80::1', 'mx.example.com', ''])(
    'does not let out to %j',
    (address) => expect(clearance(false)(address)).toBe(false),
  );

  it('clears public addresses', () => {
    expect(clearance(false)('8.8.8.8')).toBe(true);
    expect(clearance(false)('2606:4700::1111')).toBe(true);
  });

  it('clears private addresses for a laboratory, but never a name', () => {
    expect(clearance(true)('127.0.0.1')).toBe(true);
    expect(clearance(true)('localhost')).toBe(false);
  });
});
