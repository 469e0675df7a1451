import { asDomain } from './as-domain';

describe('asDomain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  Example.COM. ', 'example.com'],
    ['someone@example.com', 'example.com'],
    ['https://example.com:8443/path?x#y', 'example.com'],
    ['', ''],
  ])('takes %p for %p', (text, domain) => expect(asDomain(text)).toBe(domain));
});
