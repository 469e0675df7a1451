import type { AppConfig } from '../../platform/config/app-config.js';
import { OwnOrigin } from './own-origin.js';

const originOf = (origin: string | null) => new OwnOrigin({ console: { origin } } as AppConfig);
const write = (origin: string | null, headers: Record<string, string>) => () =>
  originOf(origin).check({ method: 'POST', headers });

describe('a write to a console of this machine', () => {
  it.each([
    ['localhost', { host: 'localhost:3002', origin: 'http://localhost:3002' }],
    ['127.0.0.1', { host: '127.0.0.1:3002', origin: 'http://127.0.0.1:3002' }],
    ['[::1]', { host: '[::1]:3002', origin: 'http://[::1]:3002' }],
    ['another port that leads here', { host: 'localhost:8080', origin: 'http://localhost:8080' }],
    ['a browser that says so', { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }],
  ])('is let in from %s', (_, headers) => {
    expect(write(null, headers)).not.toThrow();
  });

  it.each<[string, Record<string, string>]>([
    ['no origin', { host: 'localhost:3002' }],
    ['another name', { host: 'localhost:3002', origin: 'http://127.0.0.1:3002' }],
    ['another port', { host: 'localhost:3002', origin: 'http://localhost:3000' }],
    ['another scheme', { host: 'localhost:3002', origin: 'https://localhost:3002' }],
    ['a name of somebody else', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a name that only begins like ours', { host: 'localhost.evil.example', origin: 'http://localhost.evil.example' }],
    ['a host with a user', { host: 'x@localhost', origin: 'http://localhost' }],
    ['an opaque origin', { host: 'localhost:3002', origin: 'null' }],
    ['a sibling site', { host: 'localhost:3002', origin: 'http://localhost:3002', 'sec-fetch-site': 'same-site' }],
    ['another site', { host: 'localhost:3002', origin: 'http://localhost:3002', 'sec-fetch-site': 'cross-site' }],
  ])('is refused from %s', (_, headers) => {
    expect(write(null, headers)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});

it('takes the origin that is set, and no other, whatever the host', () => {
  const origin = 'https://console.example.com';
  expect(write(origin, { host: '10.0.0.5', origin })).not.toThrow();
  expect(write(origin, { host: 'localhost', origin: 'http://localhost' })).toThrow('Origin');
  expect(originOf(origin).isSecure).toBe(true);
  expect(originOf('http://localhost:3002').isSecure).toBe(false);
});

it('lets everybody read', () => {
  for (const method of ['GET', 'HEAD']) expect(() => originOf(null).check({ method, headers: {} })).not.toThrow();
});
