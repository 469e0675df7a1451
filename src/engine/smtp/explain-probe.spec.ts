import { explainProbe } from './explain-probe.js';
import { DO_NOT_PROBE } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';

const refusedByPolicy: ProbeFacts = {
  stage: 'rcpt',
  ending: 'reply',
  code: 550,
  enhanced: '5.7.1',
  class: 'policy',
  subject: 'us',
  permanent: true,
  diagnosis: 'policy_block',
  rule: 'blocklisted',
  retryAfterSeconds: null,
  random: 'not_asked',
  host: 'mx.example.com',
  egress: 'direct',
};

describe('explainProbe', () => {
  it('says what the host answered, how we read it and whom it is about', () => {
    expect(explainProbe(refusedByPolicy)).toEqual([
      'mx.example.com answered 550 5.7.1 to RCPT TO. Read as: a refusal of us, by policy or reputation (rule blocklisted). ' +
        'It speaks of us, so it says nothing about the mailbox.',
    ]);
  });

  it('says what the random mailbox showed', () => {
    const [, random] = explainProbe({ ...refusedByPolicy, random: 'refused' });
    expect(random).toBe('A random mailbox was refused: this host tells mailboxes apart.');
  });

  it.each([
    ['recipient_accepted', 'mailbox', /^Another recipient of the domain was accepted in the same session/],
    ['recipient_accepted_before', 'mailbox', /refuses us since: the refusal speaks of this one\.$/],
    ['postmaster_accepted', 'mailbox', /^Postmaster was accepted in the same session, so it speaks of this mailbox\.$/],
    ['postmaster_accepted', 'nobody', /but it has words or a code of policy: it proves nothing\.$/],
    ['postmaster_refused_alike', 'us', /^Postmaster, .* was refused alike/],
    ['inconclusive', 'nobody', /it proves nothing\.$/],
  ] as const)('says what the witness %s shows of %s', (witness, subject, sentence) => {
    expect(explainProbe({ ...refusedByPolicy, subject, witness })[1]).toMatch(sentence);
  });

  it.each([
    ['timeout', 'mx.example.com gave no answer in its greeting in time.'],
    ['closed', 'mx.example.com hung up instead of an answer in its greeting.'],
    ['garbage', 'What mx.example.com answered in its greeting is no usable SMTP reply.'],
    ['no_connection', 'No mail host let us connect.'],
    ['backed_off', 'mx.example.com refused us lately and was left alone.'],
  ] as const)('has a sentence for %s', (ending, sentence) => {
    expect(explainProbe({ ...refusedByPolicy, stage: 'greeting', ending })).toEqual([sentence]);
  });

  it('distinguishes hosts on the do-not-probe list from hosts that refused us', () => {
    const facts = { ...refusedByPolicy, ...DO_NOT_PROBE };
    expect(explainProbe(facts)).toEqual(['mx.example.com is on the do-not-probe list and was left alone.']);
  });
});
