import type { Classification } from './classification.js';
import type { Classify } from './judge-recipient.js';
import type { Reply } from './reply.js';

interface Classified {
  readonly recipient: string | null;
  readonly classification: Classification;
}

/**
 * Remembers the last classification of each reply: a bulk run needs that of a refusal for its session, for its witness and
 * for its verdict. A reply belongs to one session and one stage, so only its recipient is compared.
 */
export function classifiedOnce(classify: Classify): Classify {
  const known = new WeakMap<Reply, Classified>();
  return (reply, context) => {
    const { recipient } = context;
    const before = known.get(reply);
    if (before?.recipient === recipient) return before.classification;
    const classification = classify(reply, context);
    known.set(reply, { recipient, classification });
    return classification;
  };
}
