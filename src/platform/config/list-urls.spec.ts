import { parseListUrls } from './list-urls.js';

const read = (text: string): string[] => parseListUrls(text).map(({ name, url }) => `${name} ${url.href}`);

describe('parseListUrls', () => {
  it.each<[string, string[]]>([
    ['none', []],
    [' None ', []],
    ['disposable=https://lists.example.com/domains.txt', ['disposable https://lists.example.com/domains.txt']],
    [
      'Disposable-MX = http://127.0.0.1:8080/a?token=b=c , role=https://[::1]/r%2Cs',
      ['disposable-mx http://127.0.0.1:8080/a?token=b=c', 'role https://[::1]/r%2Cs'],
    ],
  ])('reads %j', (text, lists) => {
    expect(read(text)).toEqual(lists);
  });

  it.each([
    ['https://lists.example.com/a.txt', 'entry 1 must be <name>=<URL>, with a name of disposable, disposable-mx'],
    ['disposable=https://a.example/x,freemial=https://a.example/secret', 'entry 2 must be <name>=<URL>'],
    ['disposable', 'entry 1 must be <name>=<URL>'],
    ['disposable=https://a.example/x,', 'entry 2 must be <name>=<URL>'],
    ['disposable=', 'entry 1 must have an http:// or https:// URL'],
    ['disposable=a.example/secret', 'entry 1 must have an http:// or https:// URL'],
    ['disposable=ftp://a.example/secret', 'entry 1 must have an http:// or https:// URL'],
    ['disposable=file:///secret', 'entry 1 must have an http:// or https:// URL'],
    [`disposable=https://a.example/${'secret'.repeat(200)}`, 'at most 1000 characters'],
    ['disposable=https://secret@a.example/', 'entry 1 must hold no user and no password'],
    ['role=https://a.example/x,role=https://b.example/secret', 'must name each list once'],
  ])('refuses %j with the rule, without the value', (text, rule) => {
    expect(() => parseListUrls(text)).toThrow(RangeError);
    expect(() => parseListUrls(text)).toThrow(rule);
    expect(() => parseListUrls(text)).not.toThrow('secret');
  });
});
