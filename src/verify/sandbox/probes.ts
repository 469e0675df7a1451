import type { ProbeFacts } from '../../engine/smtp/prober.js';

/** Answers of mail hosts in the sandbox: facts as a probe would return them, at the depth of every mode. */
const accepted: ProbeFacts = {
  stage: 'rcpt',
  ending: 'reply',
  code: 250,
  enhanced: '2.1.5',
  class: 'accepted',
  subject: 'mailbox',
  permanent: false,
  diagnosis: 'accepted',
  rule: 'sandbox',
  retryAfterSeconds: null,
  random: 'refused',
  host: null,
  egress: null,
};
/** A random recipient is asked for only after an accepted one. */
const unaccepted: ProbeFacts = { ...accepted, random: 'not_asked' };
const unanswered: ProbeFacts = {
  ...unaccepted,
  code: null,
  enhanced: null,
  class: null,
  subject: null,
  diagnosis: null,
  rule: null,
};

export const PROBES = {
  accepted,
  /** The host accepts every recipient. */
  acceptedLikeAll: { ...accepted, random: 'accepted' },
  /** The host's answer to a random recipient was inconclusive. */
  acceptedUnclearly: { ...accepted, random: 'inconclusive' },
  notFound: {
    ...unaccepted,
    code: 550,
    enhanced: '5.1.1',
    class: 'mailbox_not_found',
    permanent: true,
    diagnosis: 'mailbox_not_found',
  },
  disabled: {
    ...unaccepted,
    code: 550,
    enhanced: '5.2.1',
    class: 'mailbox_disabled',
    permanent: true,
    diagnosis: 'mailbox_disabled',
  },
  full: {
    ...unaccepted,
    code: 552,
    enhanced: '5.2.2',
    class: 'mailbox_full',
    permanent: true,
    diagnosis: 'mailbox_full',
  },
  greylisted: {
    ...unaccepted,
    code: 451,
    enhanced: '4.7.1',
    class: 'greylisted',
    subject: 'nobody',
    diagnosis: 'greylist_deferred',
    retryAfterSeconds: 300,
  },
  refusedUs: {
    ...unaccepted,
    code: 554,
    enhanced: '5.7.1',
    class: 'policy',
    subject: 'us',
    permanent: true,
    diagnosis: 'policy_block',
  },
  timeout: { ...unanswered, ending: 'timeout' },
  noConnection: { ...unanswered, stage: 'connect', ending: 'no_connection' },
} as const satisfies Readonly<Record<string, ProbeFacts>>;
