import { z } from 'zod';

/** An ISO 8601 moment as every answer writes it. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const types = z.enum(['company', 'custom', 'disposable', 'education', 'freemail', 'government', 'isp', 'public']);

const domain = z.strictObject({
  name: z.string().min(1),
  types: z.array(types).min(1).nullable(),
  score: z.int().min(0).max(100).nullable(),
  spf: z.boolean().nullable(),
  dkim: z.boolean().nullable(),
  dmarc: z.boolean().nullable(),
  dmarc_policy: z.enum(['none', 'quarantine', 'reject']).nullable(),
  mta_sts: z.boolean().nullable(),
  tls_rpt: z.boolean().nullable(),
  bimi: z.boolean().nullable(),
  dane: z.boolean().nullable(),
  blacklists: z.int().min(0).nullable(),
  dnssec: z.enum(['secure', 'insecure', 'bogus']).nullable(),
  caa: z.boolean().nullable(),
  blocked: z.boolean(),
  blocked_label: z.string().nullable(),
});

const decision = z.strictObject({
  recommendation: z.enum(['allow', 'deny', 'review']),
  reasons: z.array(z.string()),
});

/** The verify result object as the contract has it: every field, in its order, of its type and with its values. */
const verifyResult = z.strictObject({
  email: z.string(),
  result: z.enum(['valid', 'invalid', 'catch_all', 'disposable', 'role', 'unknown']),
  deliverable: z.boolean().nullable(),
  reason: z
    .enum([
      'bad_syntax',
      'no_mx',
      'mailbox_accepts',
      'mailbox_not_found',
      'disposable_provider',
      'role_address',
      'catch_all_domain',
      'accept_all_provider',
      'greylisted',
      'smtp_timeout',
      'smtp_unreachable',
      'verification_pending',
      'blocked_domain',
      'spam_trap',
    ])
    .nullable(),
  mx: z.boolean(),
  mx_record: z.string().min(1).nullable(),
  disposable: z.boolean(),
  role: z.boolean(),
  catch_all: z.boolean(),
  free_email: z.boolean().nullable(),
  relay: z.boolean(),
  relay_provider: z.string().min(1).nullable(),
  parked: z.boolean(),
  spam_trap: z.boolean(),
  spam_trap_type: z.enum(['known_trap_domain', 'reputation_heuristic']).nullable(),
  suggested_correction: z.string().nullable(),
  smtp_diagnosis: z
    .enum(['accepted', 'mailbox_full', 'mailbox_disabled', 'mailbox_not_found', 'greylist_deferred', 'policy_block'])
    .nullable(),
  score: z.number().min(0).max(1).nullable(),
  freshness: z.enum(['fresh', 'cached_recent', 'cached_stale_refreshed']),
  checked_at: moment.nullable(),
  domain: domain.nullable(),
  decision,
  degraded: z.boolean(),
});

/** In the contract's order. */
export const RESULT_KEYS = {
  result: Object.keys(verifyResult.shape),
  domain: Object.keys(domain.shape),
  decision: Object.keys(decision.shape),
};

export type ShownResult = z.output<typeof verifyResult>;

/** Reads a result as a strict client would. @throws Error for a key, an order, a type or a value that the contract has not */
export function readVerifyResult(value: unknown): ShownResult {
  const read = verifyResult.parse(value);
  expect(Object.keys(value as object)).toEqual(RESULT_KEYS.result);
  const shown = value as ShownResult;
  expect(Object.keys(shown.decision)).toEqual(RESULT_KEYS.decision);
  if (shown.domain !== null) expect(Object.keys(shown.domain)).toEqual(RESULT_KEYS.domain);
  return read;
}
