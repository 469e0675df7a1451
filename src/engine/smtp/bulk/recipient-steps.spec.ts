import type { Answer } from '../answer.js';
import { DEFAULT_SESSION_OPTIONS, type SessionOptions } from '../dialogue.js';
import { recipientSteps, type RecipientStep, type RcptBatchReport } from './recipient-steps.js';

const reply = (line: string, stage: Answer['stage'] = 'rcpt'): Answer => ({
  kind: 'reply',
  stage,
  reply: { code: Number(line.slice(0, 3)), enhanced: null, lines: [line.slice(4)], mixed: false },
});
const none = (kind: 'closed' | 'timeout' | 'garbage', stage: Answer['stage'] = 'rcpt'): Answer => ({ kind, stage });
const OK = reply('250 ok');
const NO = reply('550 no such user');
const FULL = reply('452 too many recipients');
const CLOSED = none('closed');
const PLAIN: SessionOptions = { ...DEFAULT_SESSION_OPTIONS, pipelining: false };

const report = (answers: readonly Answer[], over: Partial<RcptBatchReport> = {}): RcptBatchReport => ({
  answers,
  smtpUtf8Missing: false,
  pipelined: true,
  closedOnTlsDemand: false,
  peerClosed: false,
  sessionOptions: DEFAULT_SESSION_OPTIONS,
  tlsToBeHad: false,
  before: { answered: 0, served: 0, servedInTransaction: 0 },
  ...over,
});
const AFTER_OTHERS = { before: { answered: 7, served: 7, servedInTransaction: 7 } };
const NEXT_TRANSACTION = { before: { answered: 7, served: 7, servedInTransaction: 0 } };

/** Replies 421 and 452 say that the session is full. */
function steps(given: RcptBatchReport): string[] {
  const usedUp = (index: number): boolean => {
    const answer = given.answers[index];
    return answer?.kind === 'reply' && [421, 452].includes(answer.reply.code);
  };
  return recipientSteps(given, usedUp).map(told);
}

function told(step: RecipientStep): string {
  if (step.kind !== 'retry') return step.kind;
  const { verb, pipelining, startTls } = step.sessionOptions;
  return [
    'retry',
    ...(verb === 'HELO' ? ['helo'] : []),
    ...(pipelining ? [] : ['plain']),
    ...(startTls ? ['tls'] : []),
  ].join(' ');
}

describe('fatesOf', () => {
  it('hears replies, whatever they say', () => {
    expect(steps(report([OK, NO, reply('451 later'), reply('550 blocked')]))).toEqual(Array(4).fill('judge'));
  });

  describe('where the session is full', () => {
    it('moves the rest to the next transaction', () => {
      expect(steps(report([OK, NO, FULL, FULL]))).toEqual(['judge', 'judge', 'next_transaction', 'next_transaction']);
      expect(steps(report([FULL, FULL], AFTER_OTHERS))).toEqual(['next_transaction', 'next_transaction']);
    });

    it('asks again on a fresh connection where a new transaction is as full', () => {
      expect(steps(report([FULL, FULL], NEXT_TRANSACTION))).toEqual(['retry', 'retry']);
    });

    it('believes it of a session in which nobody was served', () => {
      expect(steps(report([FULL, FULL, OK]))).toEqual(['judge', 'judge', 'judge']);
    });
  });

  describe('where the host hangs up', () => {
    it('asks once more about the one it was at, and has not asked about those behind it', () => {
      expect(steps(report([OK, CLOSED, CLOSED, CLOSED]))).toEqual(['judge', 'retry', 'not_reached', 'not_reached']);
      expect(steps(report([CLOSED, CLOSED], AFTER_OTHERS))).toEqual(['retry', 'not_reached']);
    });

    it('at the first of a session asks again without pipelining, once', () => {
      expect(steps(report([CLOSED, CLOSED]))).toEqual(['retry plain', 'not_reached']);
      expect(steps(report([CLOSED, CLOSED], { sessionOptions: PLAIN, pipelined: false }))).toEqual([
        'judge',
        'not_reached',
      ]);
    });

    it('with a 421 asks once more about the one it was at, unless it was the first', () => {
      const bye = reply('421 too many errors');
      expect(steps(report([NO, bye, CLOSED]))).toEqual(['judge', 'retry', 'not_reached']);
      expect(steps(report([bye, CLOSED]))).toEqual(['judge', 'not_reached']);
    });

    it('hears a 421 that speaks of the mailbox', () => {
      expect(recipientSteps(report([OK, reply('421 mailbox busy'), CLOSED]), () => false).map(told)).toEqual([
        'judge',
        'judge',
        'not_reached',
      ]);
    });
  });

  it('hears silence, and has not asked about those behind it', () => {
    expect(steps(report([OK, none('timeout'), none('timeout')]))).toEqual(['judge', 'judge', 'not_reached']);
  });

  describe('where nobody knows which reply answers what', () => {
    it('asks about all of a pipelined flight once more, without pipelining', () => {
      const garbage = none('garbage');
      expect(steps(report([garbage, garbage, garbage], AFTER_OTHERS))).toEqual(Array(3).fill('retry plain'));
    });

    it('asks about it and the one before once more where commands went one by one', () => {
      const plain = { sessionOptions: PLAIN, pipelined: false };
      const answers = [OK, NO, none('garbage'), none('garbage')];
      expect(steps(report(answers, plain))).toEqual(['judge', 'retry plain', 'retry plain', 'not_reached']);
      expect(steps(report([none('garbage')], plain))).toEqual(['judge']);
    });
  });

  describe('where the host wants another manner', () => {
    it('asks again without pipelining where commands came too early for it', () => {
      expect(steps(report([reply('503 bad sequence'), reply('503 bad sequence')]))).toEqual([
        'retry plain',
        'retry plain',
      ]);
    });

    it('does so too about those it hung up on after saying so', () => {
      expect(steps(report([reply('554 improper pipelining'), CLOSED, CLOSED]))).toEqual([
        'retry plain',
        'retry plain',
        'not_reached',
      ]);
    });

    it('asks again with TLS where it is demanded for one of them, and to be had', () => {
      const demand = reply('530 Must issue a STARTTLS command first');
      expect(steps(report([OK, demand], { tlsToBeHad: true }))).toEqual(['judge', 'retry tls']);
      expect(steps(report([OK, demand]))).toEqual(['judge', 'judge']);
    });

    it('asks again where it has forgotten that it was greeted', () => {
      const answers = [OK, reply('503 send HELO first')];
      expect(steps(report(answers, { sessionOptions: PLAIN, pipelined: false }))).toEqual(['judge', 'retry plain']);
    });
  });

  describe('before anybody is asked about', () => {
    it('hears what stopped the session', () => {
      const refused = reply('554 blocked', 'greeting');
      expect(steps(report([refused, refused], { pipelined: false }))).toEqual(['judge', 'judge']);
    });

    it('asks again with HELO where the host hung up on EHLO', () => {
      const closed = none('closed', 'ehlo');
      expect(steps(report([closed, closed], { pipelined: false }))).toEqual(['retry helo', 'retry helo']);
    });

    it('has not asked at all in a session that had served others', () => {
      const refused = reply('451 enough', 'mail');
      expect(steps(report([refused, refused], NEXT_TRANSACTION))).toEqual(['not_reached', 'not_reached']);
    });
  });
});
