import type { Answer } from './answer.js';
import { demandsStartTls } from './demands-starttls.js';

const rcpt = (code: number, text: string): Answer => ({
  kind: 'reply',
  stage: 'rcpt',
  reply: { code, enhanced: null, lines: [text], mixed: false },
});

describe('demandsStartTls', () => {
  it.each([
    [530, '5.7.0 Must issue a STARTTLS command first'],
    [530, ''],
    [550, '5.7.1 Session encryption is required'],
    [451, 'TLS is required for this domain'],
    [554, '5.7.0 Encryption required, use STARTTLS'],
    [523, 'STARTTLS needed'],
    [530, '<ann@login.example.com> not now'],
  ])('hears the demand in %i %s', (code, text) => expect(demandsStartTls(rcpt(code, text))).toBe(true));

  it.each([
    [530, '5.7.0 Authentication required'],
    [550, '5.1.1 user unknown'],
    [550, '5.1.1 <ann@ssl-required.example.com> user unknown'],
    [550, '5.1.1 user unknown, required by tls.example.com'],
    [454, '4.7.0 try again later'],
    [250, 'ok, TLS is required elsewhere'],
  ])('hears none in %i %s', (code, text) => expect(demandsStartTls(rcpt(code, text))).toBe(false));

  it('hears none before MAIL', () => expect(demandsStartTls({ ...rcpt(530, ''), stage: 'ehlo' })).toBe(false));
});
