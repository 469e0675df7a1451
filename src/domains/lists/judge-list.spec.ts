import { StaticSignalLists } from '../../engine/signals/static-signal-lists.js';
import type { ListName } from '../../engine/signals/refreshable-lists.js';
import { judgeList } from './judge-list.js';
import { parseList } from './parse-list.js';

const shipped = new StaticSignalLists(new Set(['burner.test']));
const noPause = (): Promise<void> => Promise.resolve();
const judge = async (name: ListName, lines: readonly string[], inForce: number | null = null) =>
  judgeList(name, await parseList(name, lines.join('\n'), noPause), inForce, shipped, noPause);
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `throw${i}.test`);

describe('judgeList', () => {
  it('accepts a good list unchanged', async () => {
    const entries = ['a.test', 'b.test'];
    expect(await judge('disposable', entries)).toEqual({ kind: 'good', entries, passedOver: 0 });
    expect(await judge('disposable', entries, 3)).toMatchObject({ kind: 'good' });
  });

  it('skips single bad entries', async () => {
    const mistakes = ['edu.pl', 'duckdns.org', 'hush.com', 'duck.com'];
    expect(await judge('disposable', [...mistakes, 'a.test'])).toEqual({
      kind: 'good',
      entries: ['a.test'],
      passedOver: 4,
    });
    expect(await judge('freemail', ['mail.test', 'burner.test', 'co.uk'])).toMatchObject({ entries: ['mail.test'] });
  });

  it.each<[string, ListName, string[], number | null, string, RegExp]>([
    ['an empty one', 'disposable', ['# nothing'], null, 'empty', /no entry/],
    [
      'a web page',
      'disposable',
      ['<html>', '<p>Gone</p>', 'a.test'],
      null,
      'unreadable',
      /2 of 3 lines hold no domain/,
    ],
    ['one that shrank by half', 'disposable', names(50), 100, 'shrunk', /from 100 entries to 50/],
    ['one that names gmail.com', 'disposable', [...names(50), 'gmail.com'], null, 'names_known_good', /gmail\.com/],
    [
      'one that covers a provider',
      'disposable-mx',
      ['google.com', ...names(9)],
      null,
      'names_known_good',
      /google\.com/,
    ],
    ['mail hosts of a provider', 'disposable-mx', ['protection.outlook.com'], null, 'names_known_good', /outlook\.com/],
    ['relays that name a provider', 'relay', ['icloud.com,Hide'], null, 'names_known_good', /icloud\.com/],
    ['roles that name people', 'role', ['info', 'maria'], null, 'names_known_good', /maria/],
    ['more than there are', 'role', Array.from({ length: 5001 }, (_, i) => `w${i}`), null, 'too_many', /5000/],
    ['nothing but public suffixes', 'disposable', ['co.uk', 'edu.pl'], null, 'names_known_good', /2 of its 2/],
  ])('refuses %s', async (_, name, lines, inForce, why, said) => {
    expect(await judge(name, lines, inForce)).toEqual({ kind: 'refused', why, said: expect.stringMatching(said) });
  });

  it('refuses a list of another kind', async () => {
    const freemail = ['hush.com', 'lavabit.com', 'mailbox.org', 'posteo.de', 'riseup.net', 'tuta.com', 'runbox.com'];
    const many = ['it', 'fr', 'nl', 'be', 'at', 'ch', 'se', 'dk', 'no', 'fi', 'ie', 'gr', 'hu', 'cz', 'ro', 'bg'];
    const lines = [...freemail, ...many.map((country) => `yahoo.${country}`), 'a.test'];
    expect(await judge('disposable', lines)).toMatchObject({ kind: 'refused', why: 'names_known_good' });
    const burners = Array.from({ length: 30 }, (_, i) => `b${i}.burner.test`);
    expect(await judge('freemail', burners)).toMatchObject({ kind: 'refused', why: 'names_known_good' });
  });
});
