import type { ReplyPattern } from '../reply-pattern.js';

/** Words that mean something else, or nothing, at other providers. */
export const PROVIDER_MEANINGS: readonly ReplyPattern[] = [
  {
    id: 'exchange-online-recipient-refused',
    class: 'mailbox_not_found',
    strength: 'explicit',
    enhanced: ['4.1'],
    only: 'permanent',
    phrases: ['recipient|recipients address|addresses rejected access denied'],
    reason:
      "Exchange Online's directory-based edge blocking. IANA gives 5.4.1 another meaning, but these words beside it are Microsoft's alone, so that they count without a known provider too.",
  },
  {
    id: 'exchange-online-unknown-recipient',
    class: 'mailbox_not_found',
    strength: 'explicit',
    providers: ['microsoft365', 'outlook-consumer'],
    enhanced: ['4.1', '1.10', '5.0'],
    only: 'permanent',
    phrases: ['recipient|recipients|mailbox address|addresses|not|unavailable'],
    reason: "Microsoft's codes for a recipient that its directory does not hold.",
  },
  {
    id: 'gmail-mailbox-rate',
    class: 'mailbox_rate_limited',
    strength: 'explicit',
    providers: ['google'],
    enhanced: ['2.1'],
    only: 'transient',
    phrases: ['user|account|recipient'],
    reason: 'Gmail says 4.2.1 of a mailbox that gets too much mail, never of a disabled one.',
  },
  {
    id: 'mimecast-first-contact',
    class: 'greylisted',
    strength: 'explicit',
    providers: ['mimecast'],
    only: 'transient',
    phrases: ['internal resource|resources', 'recipient temporarily unavailable', 'resources temporarily|are'],
    reason: 'Mimecast greylists unknown pairs of sender and recipient and calls it a lack of resources.',
  },
  {
    id: 'yahoo-deferral',
    class: 'policy',
    strength: 'explicit',
    providers: ['yahoo', 'yahoo-japan'],
    phrases: [
      'tss01|tss02|tss03|tss04|tss05|tss07|tss09|tss11',
      'ts01|ts02|ts03|ts04',
      'temporarily|permanently deferred',
    ],
    reason: 'Yahoo defers by the reputation of the sender, not by greylisting.',
  },
];
