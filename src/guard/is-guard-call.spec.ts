import { isGuardCall } from './is-guard-call.js';

describe('isGuardCall', () => {
  it.each([
    [{ 'x-guard-integration': 'email-guard-js/1.2.0' }],
    [{ 'x-guard-integration': '@acme/form-guard/0.1' }],
    [{ 'x-guard-integration': 'guard/1', 'user-agent': 'curl/8.5.0' }],
    [{ 'x-guard-integration': 'wordpress, guard/1' }],
    [{ 'user-agent': 'email-guard-php/2.1 (PHP 8.3)' }],
    [{ 'user-agent': 'email-guard-js' }],
  ])('recognises %j', (headers) => expect(isGuardCall(headers)).toBe(true));

  it.each([
    [{}],
    [{ 'x-guard-integration': '' }],
    [{ 'x-guard-integration': 'email-guard-js' }],
    [{ 'x-guard-integration': '/1.0' }],
    [{ 'x-guard-integration': 'guard/' }],
    [{ 'x-guard-integration': 'two words/1' }],
    [{ 'x-guard-integration': `${'a'.repeat(101)}/1` }],
    [{ 'user-agent': 'Mozilla/5.0 email-guard-js/1.0' }],
    [{ 'user-agent': 'my-email-guard-js/1.0' }],
    [{ 'user-agent': 'email-guardian/1.0' }],
  ])('lets %j be an ordinary call', (headers) => expect(isGuardCall(headers)).toBe(false));
});
