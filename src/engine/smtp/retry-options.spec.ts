import type { Answer } from './answer.js';
import { DEFAULT_SESSION_OPTIONS, type DialogueReport } from './dialogue.js';
import { retryOptions } from './retry-options.js';

const report = (real: Answer, more: Partial<DialogueReport> = {}): DialogueReport => ({
  answers: [real],
  smtpUtf8Missing: false,
  pipelined: false,
  closedOnTlsDemand: false,
  peerClosed: false,
  ...more,
});
const said = (stage: Answer['stage'], code: number, text = ''): Answer => ({
  kind: 'reply',
  stage,
  reply: { code, enhanced: null, lines: [text], mixed: false },
});

describe('mannerOfRetry', () => {
  it('asks again the same way if a host says that we did not greet it', () => {
    const answer = said('mail', 503, 'Error: send HELO/EHLO first');
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, report(answer))).toEqual(DEFAULT_SESSION_OPTIONS);
  });

  it('asks without pipelining if a host hangs up on it', () => {
    const closed = report({ kind: 'closed', stage: 'rcpt' }, { pipelined: true });
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, closed)).toEqual({ ...DEFAULT_SESSION_OPTIONS, pipelining: false });
  });

  it('asks without pipelining if a host offers it and then refuses it', () => {
    const plain = { ...DEFAULT_SESSION_OPTIONS, pipelining: false };
    for (const answer of [said('rcpt', 503, 'Bad sequence'), said('mail', 554, 'Improper command pipelining')]) {
      expect(retryOptions(DEFAULT_SESSION_OPTIONS, report(answer, { pipelined: true, peerClosed: true }))).toEqual(
        plain,
      );
    }
  });

  it('greets with HELO if a host hangs up on EHLO', () => {
    const helo = { ...DEFAULT_SESSION_OPTIONS, verb: 'HELO' };
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, report({ kind: 'closed', stage: 'ehlo' }))).toEqual(helo);
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, report(said('ehlo', 502), { peerClosed: true }))).toEqual(helo);
  });

  it('begins with TLS if a host demands it and hangs up', () => {
    const demand = report(said('mail', 530), { closedOnTlsDemand: true, peerClosed: true });
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, demand)).toEqual({ ...DEFAULT_SESSION_OPTIONS, startTls: true });
  });

  it.each<[string, DialogueReport]>([
    ['a mailbox that was accepted', report(said('rcpt', 250), { pipelined: true, peerClosed: true })],
    ['a mailbox that was refused', report(said('rcpt', 550), { peerClosed: true })],
    ['a refusal before which nothing was pipelined', report(said('mail', 554, 'Improper command pipelining'))],
    ['another 503', report(said('rcpt', 503, 'bad sequence of commands'))],
    ['a policy refusal of our name', report(said('ehlo', 550, 'blocked'), { peerClosed: true })],
    [
      'a 503 that repeats an address with a greeting',
      report(said('rcpt', 503, '<ann@hello.example.com> bad sequence')),
    ],
    ['a 503 that names such a host', report(said('rcpt', 503, 'bad sequence, says ehlo.example.com'))],
    [
      'a refusal that repeats an address with a word of ours',
      report(said('rcpt', 550, '<ann@pipelining.example.com> unknown'), { pipelined: true }),
    ],
    ['silence', report({ kind: 'timeout', stage: 'rcpt' }, { pipelined: true })],
    ['a host that hangs up at the greeting', report({ kind: 'closed', stage: 'greeting' })],
    ['a host that hangs up without pipelining', report({ kind: 'closed', stage: 'rcpt' })],
    ['a host without SMTPUTF8', report({ kind: 'closed', stage: 'ehlo' }, { smtpUtf8Missing: true })],
  ])('does not ask again after %s', (_, finished) =>
    expect(retryOptions(DEFAULT_SESSION_OPTIONS, finished)).toBeNull(),
  );
});
