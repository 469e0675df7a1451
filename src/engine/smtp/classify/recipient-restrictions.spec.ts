import { parseReplyLine } from '../reply-line.js';
import { outcomeOf } from '../sessions-outcome.js';
import { classifyReply } from './classify-reply.js';

const CONTEXT = {
  stage: 'rcpt',
  recipient: 'user@example.com',
  ownNames: ['probe@mailvet.example', 'mail.example.net'],
  provider: null,
} as const;

function classified(line: string) {
  const { code, enhanced, text } = parseReplyLine(line)!;
  return classifyReply({ code, enhanced, lines: [text], mixed: false }, CONTEXT);
}

describe('a recipient that accepts mail only from some senders', () => {
  it.each(['2', '123', '124', '125', '126', '129', '133', '134', '135', '136', '193'])(
    'is what 5.7.%s says, whatever the words beside it',
    (detail) => {
      for (const words of ['', ' authentication required', ' Client host blocked', ' User unknown'])
        expect(classified(`550 5.7.${detail}${words}`).class).toBe('recipient_restricted');
    },
  );

  it.each([
    '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group',
    '550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required',
    '550 5.7.135 RESOLVER.RST.SenderNotAuthenticatedForPublicFolder',
    '550 rejected because the recipient is only accepting mail from specific email addresses',
    '550 5.7.136 RESOLVER.RST.SenderNotAuthenticatedForMailUser; authentication required',
    '550 5.7.124 Sender not in allowed-senders list for this group',
    '550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to the recipient',
    '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
    '550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized',
    '550 5.7.1 This student is not able to receive external mail',
    '550 This student is not able to receive external email.',
    '550 5.7.1 Students cannot receive external emails',
    '550 5.7.1 <user@example.com>: Recipient address rejected: this user is not allowed to receive mail from outside',
    '550 5.7.1 Recipient is restricted to authenticated senders',
    '550 5.7.1 recipient not authorized to receive mail from external senders',
    '550 User not permitted to receive mail from outside',
    '550 This mailbox does not accept external mail',
    '554 5.7.1 This mailbox only accepts mail from internal senders',
    '550 5.7.1 You are not allowed to send to this group',
    '550 5.7.1 You do not have permission to send to this distribution list',
    '550 You are not authorized to send mail to the distribution list',
    '550 Only members may post to this list',
    '550 5.7.1 This group accepts messages from members only',
    '550 5.2.0 This address is for internal use only',
    '550 5.7.1 Dieses Postfach nimmt keine externen E-Mails an',
    '550 5.7.1 Ce compte ne recoit pas de messages externes',
    '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
    '550 5.7.124 RESOLVER.RST.SenderNotInAllowedSenders; not authorized',
    '550 5.7.129 not authorized',
    '550 5.7.2 Mailing list expansion prohibited',
    '550 This student is not able to receive external mail',
    '550 5.1.1 Pupils cannot receive messages from outside senders',
    '550 5.7.1 This group takes messages from people inside the organization only',
    '550 Mailbox disabled for senders outside the organization',
    '550 Only subscribers may post to this list',
    '550 5.1.1 This list is for members only',
    '550 5.7.1 <user@example.com>: Recipient address rejected: internal use only',
    '550 The recipient accepts mail from approved senders',
    '550 Dieses Postfach empfängt keine externen E-Mails',
    '550 Liste réservée aux abonnés',
    '550 Esta lista solo acepta miembros',
    '550 Somente membros podem escrever',
    '550 Lista riservata agli iscritti',
    '550 Alleen leden mogen schrijven',
    '550 Tylko członkowie grupy mogą pisać',
    '550 Pouze pro interní odesílatele',
    '550 Sadece kurum içinden gelen iletiler kabul edilir',
    '550 Писать могут только участники списка',
    '550 5.1.1 Приймає лише внутрішні листи',
    '550 该邮箱仅接收内部邮件',
    '550 此信箱不接收外部郵件',
    '550 社外からのメールは受信できません',
    '550 외부 메일을 받을 수 없는 주소입니다',
  ])('is told from a refusal of us: %s', (line) => {
    const judged = classified(line);
    expect(judged).toMatchObject({ class: 'recipient_restricted', subject: 'mailbox', diagnosis: 'policy_block' });
    const facts = { ...judged, ending: 'reply', stage: 'rcpt', code: 550 } as Parameters<typeof outcomeOf>[0];
    expect(outcomeOf(facts).kind).toBe('served');
  });

  it.each([
    '550 5.7.1 Service unavailable; client [192.0.2.1] blocked using Spamhaus',
    '530 5.7.0 Authentication required',
    '530 5.7.1 Client was not authenticated',
    '550 5.7.1 Unable to relay',
    '550 5.7.1 You are not allowed to connect',
    '550 You are not allowed to send mail from this IP',
    '554 5.7.1 Only authenticated users may send mail',
    '550 relaying denied: only local users can send mail',
    '550 5.1.1 The email account that you tried to reach does not exist',
    '550 5.1.1 user unknown in group directory',
    '552 5.2.2 This mailbox is full and does not accept messages now',
    '550 5.2.1 This mailbox does not accept mail: account disabled',
    '550 This server does not accept mail from your network',
    '554 5.7.1 not authorized to send from this domain',
    '550 RESOLVER.ADR.RecipNotFound; not found',
    '552 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient',
    '550 No such member here',
    '550 This address is no longer used inside our firm',
    '550 Your IP is not on our list',
  ])('is not what a refusal of another kind is: %s', (line) => {
    expect(classified(line).class).not.toBe('recipient_restricted');
  });

  it('is a plain deferral in a 4xx', () => {
    expect(classified('450 Only members may post to this list')).toMatchObject({
      class: 'unattributed',
      permanent: false,
      diagnosis: 'greylist_deferred',
    });
  });

  it('is recognized at RCPT only', () => {
    const { code, enhanced, text } = parseReplyLine('550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup')!;
    const judged = classifyReply({ code, enhanced, lines: [text], mixed: false }, { ...CONTEXT, stage: 'mail' });
    expect(judged).toMatchObject({ class: 'policy', subject: 'us' });
  });
});
