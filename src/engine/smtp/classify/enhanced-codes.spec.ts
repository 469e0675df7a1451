import type { ReplyClass } from '../classification.js';
import { meaningOfEnhanced } from './enhanced-codes.js';

/** Classes of codes that text can override, in a permanent reply. */
const OPEN: Readonly<Partial<Record<ReplyClass | 'none', string>>> = {
  mailbox_not_found: '1.1 1.3 1.6 1.10 1.351',
  mailbox_disabled: '2.1 7.13 7.17 7.18',
  mailbox_full: '2.2',
  mailbox_rate_limited: '2.122',
  policy: '1.9 1.90 2.121 3.2 7.3 7.5 7.7 7.16 7.19 7.33 7.39 7.41 7.499 7.504 7.505 7.1000',
  relay_denied: '1.2 7.54 7.64',
  auth_required: '7.4 7.8 7.9 7.12 7.14 7.57',
  tls_required: '7.10 7.11',
  server_fault: '3.1 3.3 3.4 3.5 4.0 4.1 4.4 4.6 4.7 4.14 4.316 5.1 5.2 5.4 5.5',
  too_many_recipients: '5.3',
  none: '0.0 1.0 1.4 1.5 2.0 2.3 2.4 3.0 5.0 5.6 6.0 6.1 7.0 7.1 8.7 9.9',
};
/** Those that no text overrides. */
const DEFINITE: Readonly<Partial<Record<ReplyClass, string>>> = {
  policy: '1.7 1.8 7.20 7.23 7.25 7.26 7.32 7.40 7.500 7.503 7.506 7.509 7.606 7.999',
  recipient_restricted: '7.2 7.123 7.124 7.125 7.126 7.129 7.133 7.134 7.135 7.136 7.193',
};

function rowsOf(table: Readonly<Record<string, string>>): [key: string, name: ReplyClass | null][] {
  return Object.entries(table).flatMap(([name, keys]) =>
    keys.split(' ').map((key): [string, ReplyClass | null] => [key, name === 'none' ? null : (name as ReplyClass)]),
  );
}

describe('meaningOfEnhanced', () => {
  it.each(rowsOf(OPEN))('of 5.%s is %s, if no text says otherwise', (key, name) => {
    expect(meaningOfEnhanced(key, true)).toEqual({ class: name, definite: false });
  });

  it.each(rowsOf(DEFINITE))('of 5.%s is %s, whatever the text says', (key, name) => {
    expect(meaningOfEnhanced(key, true)).toEqual({ class: name, definite: true });
    expect(meaningOfEnhanced(key, false)).toEqual({ class: name, definite: true });
  });

  it('is milder in a deferral: overload, a mailbox that gets too much', () => {
    expect(meaningOfEnhanced('3.2', false)).toEqual({ class: 'server_fault', definite: false });
    expect(meaningOfEnhanced('2.1', false)).toEqual({ class: null, definite: false });
    expect(meaningOfEnhanced('1.1', false)).toEqual({ class: 'mailbox_not_found', definite: false });
    expect(meaningOfEnhanced('2.2', false)).toEqual({ class: 'mailbox_full', definite: false });
  });
});
