import type { AcceptedRecipients } from '../../src/engine/smtp/accepted-recipients.js';

/** Acceptances in the memory of one test, all of them recent. */
export function rememberedRecipients(): AcceptedRecipients {
  const known = new Set<string>();
  const keyOf = (at: Parameters<AcceptedRecipients['note']>[0]): string => `${at.domain} ${at.host} ${at.egressId}`;
  return {
    recall: (at) => Promise.resolve(known.has(keyOf(at)) ? 'lately' : null),
    note: (at) => void known.add(keyOf(at)),
  };
}
