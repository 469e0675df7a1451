import { Mailvet } from './client.js';
import { readSettings } from './settings.js';

const given = { url: 'https://mailvet.example.com', key: 'mv_test_x' };

it.each([
  [{ key: 'mv_test_x' }, 'MAILVET_URL'],
  [{ url: 'https://mailvet.example.com' }, 'MAILVET_KEY'],
])('refuses %j, and says what is missing', (options, variable) => {
  expect(() => readSettings(options)).toThrow(variable);
});

it.each(['mailvet.example.com', 'mailvet.example.com:3000', 'file:///etc'])(
  'refuses the URL %s, and says how one begins',
  (url) => {
    expect(() => readSettings({ ...given, url })).toThrow('MAILVET_URL) must begin with https:// or http://');
  },
);

describe('in a browser', () => {
  beforeEach(() => void Object.assign(globalThis, { document: {} }));
  afterEach(() => void Reflect.deleteProperty(globalThis, 'document'));

  it('refuses to run, since everybody could read the key', () => {
    expect(() => new Mailvet(given)).toThrow('does not run in a browser');
  });
});

it.each([
  ['a placeholder of the documents', { key: 'mv_test_…' }],
  ['two lines', { key: 'mv_test_secret\nmv_test_secret' }],
  ['a name and a password in the URL', { url: 'https://ada:secret@mailvet.example.com' }],
  ['no number of tries', { retries: Number('many') }],
  ['no number of milliseconds', { timeoutMs: Number.NaN }],
])('refuses %s, and shows no secret', (_, options) => {
  const read = () => readSettings({ ...given, ...options });
  expect(read).toThrow(TypeError);
  expect(read).not.toThrow('secret');
});

it('takes a key with the line end of the file that it was read from', () => {
  expect(readSettings({ ...given, key: 'mv_test_x\r\n' }).key).toBe('mv_test_x');
});
