import type { Assessment } from '../../engine/assess.js';

/**
 * The answer for a check recorded before reasons were stored (`reasonKept`): a reason that comes from the probe is
 * dropped. Reasons from today's lists, tables and DNS stay.
 */
export function withoutReason(assessment: Assessment): Assessment {
  if (!isProbesReason(assessment)) return assessment;
  const { decision, reason } = assessment;
  const reasons = decision.reasons.filter((each) => each !== reason);
  return { ...assessment, reason: null, decision: { ...decision, reasons } };
}

/** Whether one of rows 12-19 of decisions 5.1 decided. */
function isProbesReason({ reason, mx, knownCatchAll }: Assessment): boolean {
  switch (reason) {
    case 'mailbox_accepts':
    case 'mailbox_not_found':
    case 'greylisted':
    case 'smtp_timeout':
      return true;
    case 'smtp_unreachable':
      // Else row 6: the DNS of the domain is broken.
      return mx;
    case 'catch_all_domain':
    case 'accept_all_provider':
      return !knownCatchAll;
    default:
      return false;
  }
}
