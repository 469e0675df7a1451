import { endsSearch, furthestFacts } from './furthest-facts.js';
import { silent, SMTPUTF8_NOT_OFFERED } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';

const facts = (over: Partial<ProbeFacts>): ProbeFacts => ({
  ...silent('rcpt', 'timeout'),
  random: 'not_asked',
  host: null,
  egress: null,
  ...over,
});
const accepted = facts({ ending: 'reply', code: 250, class: 'accepted', subject: 'mailbox' });
const greylisted = facts({ ending: 'reply', code: 451, class: 'greylisted', subject: 'nobody' });
const blocked = facts({ ending: 'reply', code: 550, class: 'policy', subject: 'us', permanent: true });
const missing = facts({ ending: 'reply', code: 550, class: 'mailbox_not_found', subject: 'mailbox', permanent: true });
const silence = facts({});
const noConnection = facts({ stage: 'connect', ending: 'no_connection' });

describe('furthestFacts', () => {
  it('prefers the later stage, whatever its facts', () => {
    const blockedGreeting = facts({ ...blocked, stage: 'greeting' });
    expect(furthestFacts(blockedGreeting, silence)).toBe(silence);
    expect(furthestFacts(silence, blockedGreeting)).toBe(silence);
    expect(furthestFacts(noConnection, blockedGreeting)).toBe(blockedGreeting);
  });

  it('prefers at the same stage the facts that say more about the mailbox', () => {
    const bySense = [accepted, greylisted, blocked, silence];
    for (const [index, better] of bySense.entries()) {
      for (const worse of bySense.slice(index + 1)) {
        expect(furthestFacts(worse, better)).toBe(better);
        expect(furthestFacts(better, worse)).toBe(better);
      }
    }
  });

  it('prefers a host asked about the recipient to one without SMTPUTF8', () => {
    const lacking = facts({ ...SMTPUTF8_NOT_OFFERED });
    expect(endsSearch(lacking)).toBe(false);
    for (const asked of [accepted, missing, greylisted, blocked, silence]) {
      expect(furthestFacts(lacking, asked)).toBe(asked);
      expect(furthestFacts(asked, lacking)).toBe(asked);
    }
    expect(furthestFacts(lacking, noConnection)).toBe(lacking);
  });

  it('keeps the preferred host on a tie', () => {
    expect(furthestFacts(greylisted, { ...greylisted, host: 'mx2.example.test' })).toBe(greylisted);
  });
});

describe('endsSearch', () => {
  it('is true for an acceptance or a permanent refusal at RCPT, whatever it is about', () => {
    for (const last of [accepted, missing, blocked]) expect(endsSearch(last)).toBe(true);
  });

  it('is false for a deferral, silence, or a refusal before RCPT', () => {
    for (const open of [greylisted, silence, noConnection, facts({ ...blocked, stage: 'mail' })]) {
      expect(endsSearch(open)).toBe(false);
    }
  });
});
