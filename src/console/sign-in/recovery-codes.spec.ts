import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.js';

it('makes ten codes that people can copy', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
});

it('knows a code however it is typed, and only for its user', () => {
  const hash = hashRecoveryCode('ada', '7QWN-3FZT-0VXA-K1RM');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashRecoveryCode('ada', ' 7qwn3fzt ovxa klrm')).toBe(hash);
  expect(hashRecoveryCode('bob', '7QWN-3FZT-0VXA-K1RM')).not.toBe(hash);
});

it.each(['', '123456', '7QWN-3FZT-0VXA', '7QWN-3FZT-0VXA-K9RMX', '7QWN-3FZT-0VXA-K9R!'])('takes no %j', (text) => {
  expect(hashRecoveryCode('ada', text)).toBeNull();
});
