import { NO_ACCEPTED_RECIPIENTS, type AcceptedRecipients } from './accepted-recipients.js';
import type { DoNotProbe } from '../signals/lists.js';
import { NO_CURATED_LISTS } from '../signals/static-curated-lists.js';
import type { EgressPool } from './egress.js';
import type { Classify } from './judge-recipient.js';
import { UNLIMITED, type Politeness } from './politeness.js';
import type { MailProvider } from './provider.js';
import { randomLocalPart } from './random-local-part.js';
import type { StepLimits } from './step-budget.js';

/** What probes are made with. The check's deadline also cuts each step's limit. */
export interface ProbeTools extends StepLimits {
  /** 25, except in labs. */
  readonly port: number;
  readonly classify: Classify;
  readonly findProvider: (mailHost: string) => MailProvider | null;
  readonly politeness: Politeness;
  /** Where recipients were accepted lately. */
  readonly acceptedRecipients: AcceptedRecipients;
  /** Domains and hosts never connected to. */
  readonly doNotProbe: DoNotProbe;
  /** Returns lower-case letters and digits nobody can guess. */
  readonly randomLocalPart: () => string;
}

/** Default: no limits; nothing is remembered, and nothing off limits. */
type Defaulted = Pick<ProbeTools, 'politeness' | 'acceptedRecipients' | 'doNotProbe' | 'randomLocalPart'>;

/** Options of a prober. */
export interface SmtpProberOptions extends Omit<ProbeTools, keyof Defaulted>, Partial<Defaulted> {
  readonly egress: EgressPool;
}

export function probeTools(options: SmtpProberOptions): ProbeTools {
  return {
    ...options,
    politeness: options.politeness ?? UNLIMITED,
    acceptedRecipients: options.acceptedRecipients ?? NO_ACCEPTED_RECIPIENTS,
    doNotProbe: options.doNotProbe ?? NO_CURATED_LISTS,
    randomLocalPart: options.randomLocalPart ?? randomLocalPart,
  };
}
