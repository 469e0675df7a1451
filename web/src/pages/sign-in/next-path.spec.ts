import { nextPath } from './next-path';

describe('nextPath', () => {
  it('leads to a path of the page', () => {
    expect(nextPath('/a/1/keys?x=1#y')).toBe('/a/1/keys?x=1#y');
  });

  it.each([null, '', 'keys', '//evil.example', '/\\evil.example', 'https://evil.example/', '/sign-in', '/a\\b'])(
    'leads to the start instead of %p',
    (next) => expect(nextPath(next)).toBe('/'),
  );
});
