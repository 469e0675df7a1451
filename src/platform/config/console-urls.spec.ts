import { parseConsoleOrigin, parseIssuer, parseLink, parsePublicUrl } from './console-urls.js';

it.each([
  ['https://console.example.com', 'https://console.example.com'],
  ['https://console.example.com:8443/', 'https://console.example.com:8443'],
  ['HTTPS://Console.Example.com:443', 'https://console.example.com'],
  ['http://localhost:3002', 'http://localhost:3002'],
  ['http://[::1]:3002', 'http://[::1]:3002'],
  ['http://console.example.com', null],
  ['https://console.example.com/path', null],
  ['https://console.example.com?x=1', null],
  ['https://ada@console.example.com', null],
  ['ftp://localhost', null],
  ['console.example.com', null],
])('reads the origin %s', (text, origin) => {
  expect(parseConsoleOrigin(text)).toBe(origin);
});

it.each([
  ['https://api.example.com/', 'https://api.example.com'],
  ['http://api.example.com/mail/', 'http://api.example.com/mail'],
  ['https://api.example.com?x', null],
])('reads the public URL %s', (text, url) => {
  expect(parsePublicUrl(text)).toBe(url);
});

it.each([
  ['https://shop.example.com/credits?from=console', 'https://shop.example.com/credits?from=console'],
  ['mailto:sales@example.com', 'mailto:sales@example.com'],
  ['javascript:alert(1)', null],
  ['sales@example.com', null],
])('reads the link %s', (text, link) => {
  expect(parseLink(text)).toBe(link);
});

it.each([
  ['https://id.example.com/realms/a', 'https://id.example.com/realms/a'],
  ['https://id.example.com', 'https://id.example.com'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://id.example.com', null],
])('keeps the issuer %s as it is written', (text, issuer) => {
  expect(parseIssuer(text)).toBe(issuer);
});
