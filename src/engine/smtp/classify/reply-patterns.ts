import { DOMAINS_ABROAD } from './patterns/domains-abroad.js';
import { ENGLISH_MAILBOX } from './patterns/english-mailbox.js';
import { ENGLISH_POLICY } from './patterns/english-policy.js';
import { ENGLISH_SENDER } from './patterns/english-sender.js';
import { ENGLISH_SERVER } from './patterns/english-server.js';
import { GERMANIC } from './patterns/germanic.js';
import { OTHER_LANGUAGES } from './patterns/other-languages.js';
import { RECIPIENT_RESTRICTIONS } from './patterns/recipient-restrictions.js';
import { PROVIDER_MEANINGS } from './patterns/providers.js';
import { REFUSALS_ABROAD } from './patterns/refusals-abroad.js';
import { ROMANCE } from './patterns/romance.js';
import { SLAVIC } from './patterns/slavic.js';
import type { ReplyPattern } from './reply-pattern.js';

/** The table of servers' wordings (decisions 6.4), by language; `classify-reply.ts` decides between several matches. */
export const REPLY_PATTERNS: readonly ReplyPattern[] = [
  ...PROVIDER_MEANINGS,
  ...RECIPIENT_RESTRICTIONS,
  ...ENGLISH_SERVER,
  ...ENGLISH_SENDER,
  ...ENGLISH_POLICY,
  ...ENGLISH_MAILBOX,
  ...ROMANCE,
  ...GERMANIC,
  ...SLAVIC,
  ...OTHER_LANGUAGES,
  ...REFUSALS_ABROAD,
  ...DOMAINS_ABROAD,
];
