import type { Answer } from '../answer.js';
import { FIRST_MANNER, type Manner } from '../dialogue.js';
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
const PLAIN: Manner = { ...FIRST_MANNER, pipelining: false };

const report = (answers: readonly Answer[], over: Partial<RcptBatchReport> = {}): RcptBatchReport => ({
  answers,
  smtpUtf8Missing: false,
  pipelined: true,
  closedOnTlsDemand: false,
  peerClosed: false,
  manner: FIRST_MANNER,
  tlsToBeHad: false,
  before: { answered: 0, served: 0, servedInTransaction: 0 },
  ...over,
});
const AFTER_OTHERS = { before: { answered: 7, served: 7, servedInTransaction: 7 } };
const NEXT_TRANSACTION = { before: { answered: 7, served: 7, servedInTransaction: 0 } };

/** Replies 421 and 452 say that the session is full. */
function fates(given: RcptBatchReport): string[] {
  const usedUp = (index: number): boolean => {
    const answer = given.answers[index];
    return answer?.kind === 'reply' && [421, 452].includes(answer.reply.code);
  };
  return recipientSteps(given, usedUp).map(told);
}

function told(fate: RecipientStep): string {
  if (fate.kind !== 'again') return fate.kind;
  const { verb, pipelining, startTls } = fate.manner;
  return [
    'again',
    ...(verb === 'HELO' ? ['helo'] : []),
    ...(pipelining ? [] : ['plain']),
    ...(startTls ? ['tls'] : []),
  ].join(' ');
}

describe('fatesOf', () => {
  it('hears replies, whatever they say', () => {
    expect(fates(report([OK, NO, reply('451 later'), reply('550 blocked')]))).toEqual(Array(4).fill('heard'));
  });

  describe('where the session is full', () => {
    it('moves the rest to the next transaction', () => {
      expect(fates(report([OK, NO, FULL, FULL]))).toEqual(['heard', 'heard', 'moved', 'moved']);
      expect(fates(report([FULL, FULL], AFTER_OTHERS))).toEqual(['moved', 'moved']);
    });

    it('asks again on a fresh connection where a new transaction is as full', () => {
      expect(fates(report([FULL, FULL], NEXT_TRANSACTION))).toEqual(['again', 'again']);
    });

    it('believes it of a session in which nobody was served', () => {
      expect(fates(report([FULL, FULL, OK]))).toEqual(['heard', 'heard', 'heard']);
    });
  });

  describe('where the host hangs up', () => {
    it('asks once more about the one it was at, and has not asked about those behind it', () => {
      expect(fates(report([OK, CLOSED, CLOSED, CLOSED]))).toEqual(['heard', 'again', 'unreached', 'unreached']);
      expect(fates(report([CLOSED, CLOSED], AFTER_OTHERS))).toEqual(['again', 'unreached']);
    });

    it('at the first of a session asks again without pipelining, once', () => {
      expect(fates(report([CLOSED, CLOSED]))).toEqual(['again plain', 'unreached']);
      expect(fates(report([CLOSED, CLOSED], { manner: PLAIN, pipelined: false }))).toEqual(['heard', 'unreached']);
    });

    it('with a 421 asks once more about the one it was at, unless it was the first', () => {
      const bye = reply('421 too many errors');
      expect(fates(report([NO, bye, CLOSED]))).toEqual(['heard', 'again', 'unreached']);
      expect(fates(report([bye, CLOSED]))).toEqual(['heard', 'unreached']);
    });

    it('hears a 421 that speaks of the mailbox', () => {
      expect(recipientSteps(report([OK, reply('421 mailbox busy'), CLOSED]), () => false).map(told)).toEqual([
        'heard',
        'heard',
        'unreached',
      ]);
    });
  });

  it('hears silence, and has not asked about those behind it', () => {
    expect(fates(report([OK, none('timeout'), none('timeout')]))).toEqual(['heard', 'heard', 'unreached']);
  });

  describe('where nobody knows which reply answers what', () => {
    it('asks about all of a pipelined flight once more, without pipelining', () => {
      const garbage = none('garbage');
      expect(fates(report([garbage, garbage, garbage], AFTER_OTHERS))).toEqual(Array(3).fill('again plain'));
    });

    it('asks about it and the one before once more where commands went one by one', () => {
      const plain = { manner: PLAIN, pipelined: false };
      const answers = [OK, NO, none('garbage'), none('garbage')];
      expect(fates(report(answers, plain))).toEqual(['heard', 'again plain', 'again plain', 'unreached']);
      expect(fates(report([none('garbage')], plain))).toEqual(['heard']);
    });
  });

  describe('where the host wants another manner', () => {
    it('asks again without pipelining where commands came too early for it', () => {
      expect(fates(report([reply('503 bad sequence'), reply('503 bad sequence')]))).toEqual([
        'again plain',
        'again plain',
      ]);
    });

    it('does so too about those it hung up on after saying so', () => {
      expect(fates(report([reply('554 improper pipelining'), CLOSED, CLOSED]))).toEqual([
        'again plain',
        'again plain',
        'unreached',
      ]);
    });

    it('asks again with TLS where it is demanded for one of them, and to be had', () => {
      const demand = reply('530 Must issue a STARTTLS command first');
      expect(fates(report([OK, demand], { tlsToBeHad: true }))).toEqual(['heard', 'again tls']);
      expect(fates(report([OK, demand]))).toEqual(['heard', 'heard']);
    });

    it('asks again where it has forgotten that it was greeted', () => {
      const answers = [OK, reply('503 send HELO first')];
      expect(fates(report(answers, { manner: PLAIN, pipelined: false }))).toEqual(['heard', 'again plain']);
    });
  });

  describe('before anybody is asked about', () => {
    it('hears what stopped the session', () => {
      const refused = reply('554 blocked', 'greeting');
      expect(fates(report([refused, refused], { pipelined: false }))).toEqual(['heard', 'heard']);
    });

    it('asks again with HELO where the host hung up on EHLO', () => {
      const closed = none('closed', 'ehlo');
      expect(fates(report([closed, closed], { pipelined: false }))).toEqual(['again helo', 'again helo']);
    });

    it('has not asked at all in a session that had served others', () => {
      const refused = reply('451 enough', 'mail');
      expect(fates(report([refused, refused], NEXT_TRANSACTION))).toEqual(['unreached', 'unreached']);
    });
  });
});
