import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { Address } from '../../src/engine/address/address.js';
import { Deadline } from '../../src/engine/deadline.js';
import type { AcceptedRecipients } from '../../src/engine/smtp/accepted-recipients.js';
import type { Politeness } from '../../src/engine/smtp/politeness.js';
import type { ProbeFacts } from '../../src/engine/smtp/prober.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { encodeText } from '../factories/encode-text.js';
import { rememberedRecipients } from '../factories/remembered-recipients.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED, type Answer, type MailHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { checkAddress, engineFor, misses } from './engine-under-test.js';

const REJECTED = '550 rejected';
const MISSING = { result: 'invalid', reason: 'mailbox_not_found', smtp_diagnosis: 'mailbox_not_found' };
const BLOCKED = { result: 'unknown', reason: 'smtp_unreachable', smtp_diagnosis: 'policy_block' };
const UNPROVEN = { result: 'unknown', reason: 'smtp_unreachable', smtp_diagnosis: null };

const postmasterGets = (postmaster: Answer, otherRecipients: Answer, more: MailHost = {}): MailHost => ({
  ...more,
  recipients: { real: ACCEPTED, postmaster },
  otherRecipients,
});
const inBytes = (text: string, charset: string): Answer => ({ bytes: encodeText(`${text}\r\n`, charset) });

/** What `ghost` gets, and what it comes to; whether postmaster is asked about. */
const TABLE: Readonly<Record<string, readonly [MailHost, Readonly<Record<string, unknown>>, boolean]>> = {
  'another-accepted': [{ recipients: { ghost: REJECTED }, otherRecipients: ACCEPTED }, MISSING, false],
  'another-accepted-571': [{ recipients: { ghost: '550 5.7.1 rejected' }, otherRecipients: ACCEPTED }, MISSING, false],
  'postmaster-accepted': [postmasterGets(ACCEPTED, REJECTED), MISSING, true],
  'postmaster-accepted-551': [postmasterGets(ACCEPTED, '551 no'), MISSING, true],
  'postmaster-accepted-554': [postmasterGets(ACCEPTED, '554 Transaction failed'), MISSING, true],
  'postmaster-accepted-rfc': [
    postmasterGets(ACCEPTED, '550 Requested action not taken: mailbox unavailable'),
    MISSING,
    true,
  ],
  'policy-code': [postmasterGets(ACCEPTED, '550 5.7.1 rejected'), UNPROVEN, true],
  'policy-word': [
    postmasterGets(ACCEPTED, '550 5.1.1 Backscatter Protection detected an invalid or expired email address'),
    UNPROVEN,
    true,
  ],
  'refused-alike': [{ otherRecipients: REJECTED }, BLOCKED, true],
  'refused-alike-echo': [{ otherRecipients: '550 <{recipient}>: rejected, session 8f3a1c22' }, BLOCKED, true],
  'refused-alike-571': [{ otherRecipients: '550 5.7.1 rejected' }, BLOCKED, true],
  'refused-otherwise': [postmasterGets('550 5.7.1 Client host blocked', REJECTED), UNPROVEN, true],
  'other-code': [postmasterGets('554 rejected', REJECTED), UNPROVEN, true],
  deferred: [postmasterGets('451 4.7.1 try again later', REJECTED), UNPROVEN, true],
  'limit-reached': [
    postmasterGets(ACCEPTED, REJECTED, { recipientLimit: { count: 2, answer: '452 4.5.3 Too many recipients' } }),
    UNPROVEN,
    true,
  ],
  'hangs-up': [postmasterGets(ACCEPTED, REJECTED, { closeAfter: 'refused_rcpt' }), UNPROVEN, false],
  'explicit-words': [postmasterGets(ACCEPTED, '550 No such user here'), MISSING, false],
  'specific-code': [postmasterGets(ACCEPTED, '550 5.1.1 no'), MISSING, false],
  'speaks-of-us': [postmasterGets(ACCEPTED, '550 Your IP is on our blocklist'), BLOCKED, false],
};

/** Refusals that everybody gets. */
const TO_EVERYBODY: readonly Answer[] = [
  REJECTED,
  '550',
  '550 denied',
  '553 5.0.0 not accepted',
  '550 发信IP被禁止',
  '550 5.7.1 发信IP被禁止',
  inBytes('550 发信IP被禁止', 'gb18030'),
  inBytes('550 5.1.1 发信IP被禁止', 'gb18030'),
  inBytes('550 發信IP被禁止', 'big5'),
  inBytes('550 Отправитель заблокирован', 'windows-1251'),
  inBytes('550 Отправитель заблокирован', 'koi8-r'),
  '550 =?UTF-8?B?5Y+R5L+hSVDooqvnpoHmraI=?=',
  '550 5.1.1 Backscatter Protection detected an invalid or expired email address',
  '550 BATV failed to verify',
  '550 This message scored 8.4 spam points',
  '550 user refuses to receive this mail',
  '550 mail from 192.0.2.1 is rejected,mx3,BM',
];

describe('a refusal that does not prove whom it concerns', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;

  beforeAll(async () => {
    const cases = Object.entries(TABLE).map(([name, [host]]) => domainWithHost(`${name}.test`, host));
    const alike = TO_EVERYBODY.map((answer, index) =>
      domainWithHost(`alike${index}.test`, { otherRecipients: answer }),
    );
    const kind = TO_EVERYBODY.map((answer, index) =>
      domainWithHost(`kind${index}.test`, postmasterGets(ACCEPTED, answer)),
    );
    const bulk = ['many.test', 'many-alike.test', 'many-postmaster.test', 'group.test', 'before.test'].map((domain) =>
      domainWithHost(domain, BULK[domain]!),
    );
    laboratory = await startLaboratory(joinWorlds(...cases, ...alike, ...kind, ...bulk));
    running = engineFor(laboratory, {}, { acceptedRecipients: rememberedRecipients() });
  });
  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  const BULK: Readonly<Record<string, MailHost>> = {
    'many.test': postmasterGets('550 5.1.1 no such user', REJECTED),
    'many-alike.test': { otherRecipients: REJECTED },
    'many-postmaster.test': { recipients: { postmaster: ACCEPTED }, otherRecipients: REJECTED },
    'group.test': {
      recipients: {
        real0: ACCEPTED,
        real1: ACCEPTED,
        postmaster: ACCEPTED,
        known: '550 5.1.1 User unknown',
        blocked: '550 5.7.1 Your IP is on our blocklist',
      },
      otherRecipients: REJECTED,
    },
    'before.test': postmasterGets(ACCEPTED, REJECTED),
  };

  const askedAbout = (domain: string): string[] =>
    laboratory
      .sessions(`mx.${domain}`)
      .flatMap(({ commands }) => commands)
      .flatMap((line) => (line.startsWith('RCPT TO:<') ? [line.slice('RCPT TO:<'.length, line.lastIndexOf('@'))] : []));

  it.each(Object.entries(TABLE))('%s', async (name, [, expected, asksPostmaster]) => {
    const { result, story } = await checkAddress(running, `ghost@${name}.test`, 'enhanced');
    expect({ misses: misses(result, expected), story }).toEqual({ misses: [], story });
    expect(askedAbout(`${name}.test`).filter((asked) => asked === 'postmaster')).toHaveLength(asksPostmaster ? 1 : 0);
  });

  it.each(TO_EVERYBODY.map((answer, index) => [index, answer] as const))(
    'never makes a mailbox missing if every recipient gets it: %i %j',
    async (index) => {
      for (const mode of ['standard', 'enhanced'] as const) {
        const { result, story } = await checkAddress(running, `ghost@alike${index}.test`, mode);
        expect({ misses: misses(result, mode === 'enhanced' ? BLOCKED : { result: 'unknown' }), story }).toEqual({
          misses: [],
          story,
        });
      }
    },
  );

  it('is not attributed to the mailbox if it mentions policy and postmaster is accepted', async () => {
    for (const [index, answer] of TO_EVERYBODY.entries()) {
      const isNeutral = [REJECTED, '550'].includes(answer as string);
      const { result } = await checkAddress(running, `ghost@kind${index}.test`, 'standard');
      expect([index, result?.['result']]).toEqual([index, isNeutral ? 'invalid' : 'unknown']);
    }
  });

  it('is compared with a recipient that was accepted there before, without another probe', async () => {
    expect((await checkAddress(running, 'real@before.test', 'standard')).result).toMatchObject({ result: 'valid' });
    const { result } = await checkAddress(running, 'ghost@before.test', 'standard');
    expect(result).toMatchObject({ result: 'invalid', reason: 'mailbox_not_found' });
    expect(askedAbout('before.test')).toEqual(['real', 'ghost']);
  });

  it.each([
    ['policy-code', 'invalid'],
    ['postmaster-accepted', 'invalid'],
    ['refused-alike-571', 'unknown'],
    ['refused-otherwise', 'unknown'],
    ['hangs-up', 'unknown'],
  ])('is proven by an acceptance of some hours ago only if postmaster is accepted now: %s', async (name, result) => {
    const acceptedRecipients: AcceptedRecipients = { recall: () => Promise.resolve('earlier'), note: () => undefined };
    const later = engineFor(laboratory, {}, { acceptedRecipients });
    const checked = await checkAddress(later, `ghost@${name}.test`, 'standard');
    later.close();
    expect(checked.result).toMatchObject({ result });
  });

  it('ends with the deadline if postmaster gets no answer', async () => {
    laboratory.setHost('mx.hangs-up.test', postmasterGets({ afterwards: 'silence' }, REJECTED));
    const deadline = Deadline.after(1_500);
    const outcome = await running.engine.check('slow@hangs-up.test', { mode: 'standard', deadline });
    deadline.release();
    expect(outcome).toMatchObject({ check: { facts: { probe: { witness: 'inconclusive', class: 'unattributed' } } } });
  });

  it('probes at most one more recipient, and only with a permit', async () => {
    const asked: string[] = [];
    const politeness = (kind: 'granted' | 'full'): Politeness => ({
      acquire: ({ recipients, connected = false }) => {
        asked.push(`${recipients} ${connected ? 'more' : 'at first'}`);
        const granted = { kind: 'granted', recipients, release: () => undefined } as const;
        return Promise.resolve(connected && kind === 'full' ? { kind } : granted);
      },
    });
    for (const [kind, result] of [
      ['granted', 'invalid'],
      ['full', 'unknown'],
    ] as const) {
      const limited = engineFor(laboratory, {}, { politeness: politeness(kind) });
      const checked = await checkAddress(limited, 'limited@postmaster-accepted.test', 'standard');
      limited.close();
      expect(checked.result).toMatchObject({ result });
    }
    expect(asked).toEqual(['1 at first', '1 more', '1 at first', '1 more']);
    const story = askedAbout('postmaster-accepted.test').slice(-3);
    expect(story).toEqual(['limited', 'postmaster', 'limited']);
  });

  describe('among many recipients', () => {
    const facts = async (domain: string, names: readonly string[]): Promise<Record<string, ProbeFacts>> => {
      const addresses = names.map((name) => {
        const parsed = parseAddress(`${name}@${domain}`);
        return parsed.ok ? parsed.address : (null as unknown as Address);
      });
      const deadline = Deadline.after(20_000);
      const finding = await running.mailHosts.findMailHosts(domain, { deadline });
      const found: Record<string, ProbeFacts> = {};
      await running.bulk.probe({
        domains: [
          {
            domain,
            hosts: finding.kind === 'found' ? finding.hosts : [],
            recipients: addresses.map((address, index) => ({ index, address })),
            randomRecipient: false,
          },
        ],
        deadline,
        onOutcome: (index, outcome) => {
          if (outcome.kind === 'facts') found[names[index] ?? ''] = outcome.facts;
        },
      });
      deadline.release();
      return found;
    };
    const ghosts = Array.from({ length: 25 }, (_, index) => `ghost${index}`);

    it('waits for the others, one of which is accepted', async () => {
      const found = await facts('many.test', [...ghosts, 'real']);
      for (const name of ghosts) {
        expect(found[name]).toMatchObject({ class: 'mailbox_not_found', witness: 'recipient_accepted' });
      }
      expect(found['real']).toMatchObject({ class: 'accepted' });
      expect(askedAbout('many.test')).not.toContain('postmaster');
    });

    it.each([
      ['many-alike.test', { class: 'policy', diagnosis: 'policy_block', witness: 'postmaster_refused_alike' }],
      ['many-postmaster.test', { class: 'mailbox_not_found', subject: 'mailbox', witness: 'postmaster_accepted' }],
    ])('probes postmaster of %s once, after all the others', async (domain, expected) => {
      const found = await facts(domain, ghosts);
      for (const name of ghosts) expect(found[name]).toMatchObject(expected);
      expect(askedAbout(domain)).toEqual([...ghosts, 'postmaster']);
    });

    it('judges each of a group by its own refusal', async () => {
      const found = await facts('group.test', ['gone0', 'blocked', 'known', 'real0', 'gone1', 'real1', 'postmaster']);
      expect(found['gone0']).toMatchObject({ class: 'mailbox_not_found', witness: 'recipient_accepted' });
      expect(found['gone1']).toMatchObject({ class: 'mailbox_not_found', witness: 'recipient_accepted' });
      expect(found['known']).toMatchObject({ class: 'mailbox_not_found' });
      expect(found['known']).not.toHaveProperty('witness');
      expect(found['blocked']).toMatchObject({ class: 'policy', diagnosis: 'policy_block' });
      expect(found['real1']).toMatchObject({ class: 'accepted' });
    });

    it('has no witness if postmaster itself is refused', async () => {
      laboratory.setHost('mx.many-alike.test', { otherRecipients: REJECTED });
      const found = await facts('many-alike.test', ['postmaster']);
      expect(found['postmaster']).toMatchObject({ class: 'unattributed', witness: 'inconclusive' });
    });
  });
});
