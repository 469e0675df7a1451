import type { ReplyPattern } from '../reply-pattern.js';

const WHO = 'recipient|mailbox|user|student|students|account|group|list|address|employee|alias|inbox';
const FROM_OUTSIDE = 'external|outside|internet|incoming|offsite';
const MAIL = 'mail|mails|email|emails|message|messages|sender|senders';
const TAKE = 'receive|receiving|accept|accepting|get|recieve';

/** A recipient that exists and takes mail from some only: a closed group, a pupil's mailbox, an internal address. */
export const RECIPIENT_RESTRICTIONS: readonly ReplyPattern[] = [
  {
    id: 'recipient-takes-no-mail-from-outside',
    class: 'recipient_restricted',
    strength: 'explicit',
    phrases: [
      '#restriction',
      `not able|allowed|permitted|authorized|authorised|enabled|configured|setup to ${TAKE} ${FROM_OUTSIDE} ${MAIL}`,
      `not able|allowed|permitted|authorized|authorised|enabled|configured|setup to ${TAKE} ${MAIL} from ${FROM_OUTSIDE}`,
      `not able|allowed|permitted|authorized|authorised|enabled|configured|setup to ${TAKE} ${MAIL} from the|an|your ${FROM_OUTSIDE}`,
      `not|doesnt|cannot|cant|wont|unable|to ${TAKE} ${FROM_OUTSIDE} ${MAIL}`,
      `${WHO} .. not|doesnt|cannot|cant|wont ${TAKE} ${MAIL} from ${FROM_OUTSIDE}`,
      `${WHO} .. only accepts|accept|receives|receive ${MAIL} from`,
      `${WHO} accepts|accept|receives|receive ${MAIL} from internal|authenticated|members|certain|specific|selected|approved|within|inside|only`,
      `${WHO} accepts|accept|receives|receive only internal|authenticated`,
      `${WHO} .. restricted to authenticated|internal|members|certain|specific|selected|approved|authorized|authorised`,
      `${WHO} .. restricted from receiving ${FROM_OUTSIDE}`,
      `${WHO} .. restricted from receiving ${MAIL}`,
      `${WHO} is|are for internal use|mail|email|only|senders`,
      `${WHO} internal only`,
      'internal only|use group|list|recipient|mailbox|address|alias|account',
    ],
    reason:
      'The recipient takes mail from inside its organisation only. Mail from us would not arrive; others there may take it.',
  },
  {
    id: 'recipient-takes-mail-from-members',
    class: 'recipient_restricted',
    strength: 'explicit',
    phrases: [
      'sender not in|on .. group|room|recipients|list allowed|accept|safe',
      'not in|on allowed|accepted senders list|for',
      'not in|on allowed|accepted sender list|for',
      'not allowed|permitted|authorized|authorised to send|post|write|submit mail|mails|email|emails|messages to this|the|that group|list|mailbox|distribution|mailing|room|alias',
      'not allowed|permitted|authorized|authorised to send|post|write to this|the|that group|list|mailbox|distribution|mailing|room|alias|recipient',
      'permission|permissions to send|post|write to this|the|that group|list|mailbox|distribution|mailing|room|alias|recipient',
      'only members|subscribers|employees|staff|teachers|students|moderators|owners can|may|are|to send|post|mail|allowed|write',
      'members|member only list|group|mailing|address',
      'group|list|recipient|mailbox requires|require authenticated|authentication|internal',
    ],
    reason: 'The recipient is a group, a list or a mailbox that takes mail from named senders only.',
  },
  {
    id: 'recipient-takes-no-mail-from-outside-elsewhere',
    class: 'recipient_restricted',
    strength: 'explicit',
    phrases: [
      'keine|nicht externen|externe|externer mails|emails|e|nachrichten|absender|mail|email',
      'nur interne|internen|interner mails|emails|e|nachrichten|absender|empfang',
      'pas .. messages|mails|emails|courriels externes|exterieurs',
      'no .. correos|correo|mensajes externos|externo',
      'nao .. emails|email|mensagens externos|externo|externas',
      'non .. messaggi|email|mail esterni|esterne|esterna',
    ],
    reason: 'The same in other languages.',
  },
];
