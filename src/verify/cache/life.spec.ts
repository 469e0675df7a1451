import { checkFacts, probeFacts, refusal, silence } from '../../../test/factories/check-facts.js';
import type { CheckFacts, MailHostFacts } from '../../engine/check.js';
import { SMTPUTF8_NOT_OFFERED } from '../../engine/smtp/judge-recipient.js';
import { isTransient, lifeSeconds } from './life.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
const none = (ttlSeconds: number): MailHostFacts => ({ kind: 'none', why: 'nxdomain', ttlSeconds });
const broken: MailHostFacts = { kind: 'broken', why: 'servfail' };

describe('the life of facts', () => {
  it.each<[string, CheckFacts, number | null]>([
    ['no address', checkFacts(null, null), null],
    ['no mail host, for as long as the DNS says', checkFacts(null, none(300)), 300],
    ['no mail host, at most an hour', checkFacts(null, none(86_400)), HOUR],
    ['no mail host, not to be kept', checkFacts(null, none(0)), null],
    ['no mail host, for less than a second', checkFacts(null, none(0.5)), null],
    ['broken DNS', checkFacts(null, broken), 14 * MINUTE],
    ['a probe that is still missing', checkFacts(null), null],
    ['accepted', checkFacts(), 30 * DAY],
    ['accepted, and a random recipient too', checkFacts(probeFacts({ random: 'accepted' })), 30 * DAY],
    ['not found', checkFacts(refusal('mailbox_not_found', 550)), 7 * DAY],
    ['a refusal that proves nothing', checkFacts(refusal('unattributed', 550, 'nobody')), 14 * MINUTE],
    ['a mailbox that needs SMTPUTF8', checkFacts(probeFacts(SMTPUTF8_NOT_OFFERED)), 7 * DAY],
    ['full', checkFacts(refusal('mailbox_full', 552)), DAY],
    ['disabled', checkFacts(refusal('mailbox_disabled', 554)), DAY],
    ['full for now', checkFacts(refusal('mailbox_full', 452)), 14 * MINUTE],
    ['an unattributed 554', checkFacts(refusal('unattributed', 554, 'nobody')), 14 * MINUTE],
    ['an acceptance that proves nothing', checkFacts(refusal('unattributed', 252, 'nobody')), 14 * MINUTE],
    ['greylisted', checkFacts(refusal('greylisted', 451, 'server')), 14 * MINUTE],
    ['greylisted by 550', checkFacts(refusal('greylisted', 550, 'server')), 14 * MINUTE],
    ['a refusal of us', checkFacts(refusal('policy', 550, 'us')), 14 * MINUTE],
    [
      'a missing mailbox before RCPT',
      checkFacts(probeFacts({ ...refusal('unattributed', 550), stage: 'mail' })),
      14 * MINUTE,
    ],
    ['no connection', checkFacts(silence('no_connection', 'connect')), 14 * MINUTE],
    ['our own back-off', checkFacts(silence('backed_off', 'none')), 14 * MINUTE],
    ['silence', checkFacts(silence('timeout', 'rcpt')), 14 * MINUTE],
    ['a peer that hung up', checkFacts(silence('closed', 'greeting')), 14 * MINUTE],
    ['garbage', checkFacts(silence('garbage', 'ehlo')), 14 * MINUTE],
  ])('%s', (_, facts, seconds) => {
    expect(lifeSeconds(facts)).toBe(seconds);
    expect(isTransient(facts)).toBe(seconds === 14 * MINUTE);
  });
});
