import { readEvents } from './read-events.js';

const EVENT = { verdict: 'valid', action: 'allow', reasons: ['mailbox_accepts'], degraded: false, source: 'remote' };
const READ = {
  domain: null,
  ...EVENT,
  integration: null,
  lib_version: null,
  spec_version: null,
  property_key: null,
};
const without = (field: keyof typeof EVENT) => {
  const { [field]: _, ...rest } = EVENT;
  return rest;
};

describe('readEvents', () => {
  it.each<[string, object, object]>([
    ['what is required alone', {}, {}],
    ['null for all that may be left out', { domain: null, integration: null, property_key: null }, {}],
    [
      'all there is',
      { domain: 'Example.COM', lib_version: '2', spec_version: '1.0', property_key: 'site_x' },
      {
        domain: 'example.com',
        lib_version: '2',
        spec_version: '1.0',
        property_key: 'site_x',
      },
    ],
    [
      'tokens nobody knows, as they are',
      { verdict: 'Not:Sure_1.0-b', action: 'shrug', source: 'edge' },
      {
        verdict: 'Not:Sure_1.0-b',
        action: 'shrug',
        source: 'edge',
      },
    ],
    [
      'what makes no sense together',
      { verdict: 'invalid', action: 'allow', degraded: true },
      {
        verdict: 'invalid',
        action: 'allow',
        degraded: true,
      },
    ],
    ['no reasons', { reasons: [] }, { reasons: [] }],
    [
      '20 reasons of 64 characters',
      { reasons: Array(20).fill('x'.repeat(64)) },
      { reasons: Array(20).fill('x'.repeat(64)) },
    ],
    ['a domain of 253 characters', { domain: 'd'.repeat(253) }, { domain: 'd'.repeat(253) }],
    ['a domain in its own letters', { domain: 'MÜLLER.example' }, { domain: 'müller.example' }],
    ['names with an at sign', { integration: '@acme/email-guard@1.2.3' }, { integration: '@acme/email-guard@1.2.3' }],
    ['an at sign that is no address', { reasons: ['missing_@_sign', '@'] }, { reasons: ['missing_@_sign', '@'] }],
    ['fields that nobody knows', { email: 5, more: {} }, {}],
  ])('takes %s', (_, sent, expected) => {
    expect(readEvents([{ ...EVENT, ...sent }])).toEqual({
      accepted: [{ ...READ, ...expected }],
      rejected: 0,
      faults: null,
    });
  });

  const token = 'it is 1 to 64 of A-Z, a-z, 0-9, _, ., : and -';
  const address = 'an address must not be sent';
  const required = (...fields: string[]) => fields.map((field) => `events[0].${field} is required`).join('; ');
  it.each<[string, unknown, string]>([
    ['null', null, 'events[0] must be an object'],
    ['a text', 'valid', 'events[0] must be an object'],
    ['a list', [EVENT], 'events[0] must be an object'],
    ['nothing', {}, required('verdict', 'action', 'reasons', 'degraded', 'source')],
    ['no action', without('action'), 'events[0].action is required'],
    ['no reasons', without('reasons'), 'events[0].reasons is required'],
    ['no degraded', without('degraded'), 'events[0].degraded is required'],
    ['no source', without('source'), 'events[0].source is required'],
    ['a token that is empty', { ...EVENT, verdict: '' }, `events[0].verdict is not valid: ${token}`],
    ['a token with a space', { ...EVENT, action: 'a b' }, `events[0].action is not valid: ${token}`],
    ['a token with another character', { ...EVENT, action: 'allow/deny' }, `events[0].action is not valid: ${token}`],
    ['a token with a line break', { ...EVENT, source: 'local\n' }, `events[0].source is not valid: ${token}`],
    ['a token that is too long', { ...EVENT, source: 'x'.repeat(65) }, `events[0].source is not valid: ${token}`],
    ['a token that is no text', { ...EVENT, verdict: 1 }, 'events[0].verdict must be a string'],
    ['a token that is null', { ...EVENT, verdict: null }, 'events[0].verdict must be a string'],
    ['reasons that are no list', { ...EVENT, reasons: 'x' }, 'events[0].reasons must be a list'],
    ['21 reasons', { ...EVENT, reasons: Array(21).fill('x') }, 'events[0].reasons must have at most 20 entries'],
    [
      'a long reason',
      { ...EVENT, reasons: ['', 'x'.repeat(65)] },
      'events[0].reasons[1] must have at most 64 characters',
    ],
    ['a reason that is no text', { ...EVENT, reasons: [null] }, 'events[0].reasons[0] must be a string'],
    ['degraded as a text', { ...EVENT, degraded: 'true' }, 'events[0].degraded must be a boolean'],
    ['a domain that is no text', { ...EVENT, domain: 5 }, 'events[0].domain must be a string'],
    ['a long domain', { ...EVENT, domain: 'd'.repeat(254) }, 'events[0].domain must have at most 253 characters'],
    ...['domain', 'integration', 'lib_version', 'spec_version', 'property_key'].map(
      (field): [string, object, string] => [
        `half a character of ${field}`,
        { ...EVENT, [field]: 'a\uD800b' },
        `events[0].${field} is not valid: it is no Unicode text`,
      ],
    ),
    [
      'half a character among the reasons',
      { ...EVENT, reasons: ['', 'a\uD800b'] },
      'events[0].reasons[1] is not valid: it is no Unicode text',
    ],
    [
      'a long label',
      { ...EVENT, integration: 'x'.repeat(65) },
      'events[0].integration must have at most 64 characters',
    ],
    ['a label that is no text', { ...EVENT, lib_version: 2 }, 'events[0].lib_version must be a string'],
    ['an address', { ...EVENT, domain: 'ada@example.com' }, `events[0].domain is not valid: ${address}`],
    ['an at sign', { ...EVENT, domain: 'example.com@' }, `events[0].domain is not valid: ${address}`],
    ['an encoded address', { ...EVENT, domain: 'ada%40example.com' }, `events[0].domain is not valid: ${address}`],
    ['one encoded twice', { ...EVENT, domain: 'ada%2540example.com' }, `events[0].domain is not valid: ${address}`],
    ['a full-width address', { ...EVENT, domain: 'ada＠example.com' }, `events[0].domain is not valid: ${address}`],
    [
      'an address before all else',
      { domain: 'ada@example.com', verdict: 5 },
      `events[0].domain is not valid: ${address}; events[0].verdict must be a string; ${required('action', 'reasons', 'degraded', 'source')}`,
    ],
    [
      'an address among the reasons',
      { ...EVENT, reasons: ['typo of ada@example.com'] },
      `events[0].reasons[0] is not valid: ${address}`,
    ],
  ])('drops %s, and says why', (_, sent, fault) => {
    expect(readEvents([sent])).toEqual({ accepted: [], rejected: 1, faults: fault });
  });

  it('drops malformed events, names each, and keeps the order of the others', () => {
    const sent = [{ ...EVENT, verdict: 'a' }, null, { ...EVENT, domain: 'x@y.z' }, { ...EVENT, verdict: 'b' }];
    const { accepted, rejected, faults } = readEvents(sent);
    expect(accepted.map(({ verdict }) => verdict)).toEqual(['a', 'b']);
    expect([rejected, faults]).toEqual([2, `events[1] must be an object; events[2].domain is not valid: ${address}`]);
  });

  it('refuses a domain that is too long to store', () => {
    const [event] = readEvents([{ ...EVENT, domain: 'İ'.repeat(253) }]).accepted;
    expect(event?.domain).toHaveLength(253);
  });
});
