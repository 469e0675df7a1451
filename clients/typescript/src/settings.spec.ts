import { Mailvet } from './client.js';
import { readSettings } from './settings.js';

const given = { url: 'https://mailvet.example.com', key: 'mv_test_x' };

it.each([
  [{ key: 'mv_test_x' }, 'MAILVET_URL'],
  [{ key: 'mv_test_x', url: 'mailvet.example.com' }, 'MAILVET_URL'],
  [{ key: 'mv_test_x', url: 'file:///etc' }, 'MAILVET_URL'],
  [{ url: 'https://mailvet.example.com' }, 'MAILVET_KEY'],
])('refuses %j, and says what is missing', (options, variable) => {
  expect(() => readSettings(options)).toThrow(variable);
});

describe('in a browser', () => {
  beforeEach(() => void Object.assign(globalThis, { document: {} }));
  afterEach(() => void Reflect.deleteProperty(globalThis, 'document'));

  it('refuses to run, since everybody could read the key', () => {
    expect(() => new Mailvet(given)).toThrow('does not run in a browser');
  });
});
