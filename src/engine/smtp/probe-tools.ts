import { NO_ACCEPTED_RECIPIENTS, type AcceptedRecipients } from './accepted-recipients.js';
import type { DoNotProbe } from '../signals/lists.js';
import { NO_CURATED_LISTS } from '../signals/static-curated-lists.js';
import type { EgressPool } from './egress.js';
import type { Classify } from './judge-recipient.js';
import { UNLIMITED, type Politeness } from './politeness.js';
import type { MailProvider } from './provider.js';
import { randomLocalPart } from './random-local-part.js';
import type { StepLimits } from './step-budget.js';

/** Options of a prober. The check's deadline also cuts each step's limit. */
export interface SmtpProberOptions extends StepLimits {
  readonly egress: EgressPool;
  /** 25, except in labs. */
  readonly port: number;
  readonly classify: Classify;
  readonly findProvider: (mailHost: string) => MailProvider | null;
  /** Default: no limits. */
  readonly politeness?: Politeness | undefined;
  /** Where recipients were accepted lately. Default: nothing is remembered. */
  readonly acceptedRecipients?: AcceptedRecipients | undefined;
  /** Domains and hosts never connected to. Default: none. */
  readonly doNotProbe?: DoNotProbe | undefined;
  /** Returns lower-case letters and digits nobody can guess; for tests. */
  readonly randomLocalPart?: (() => string) | undefined;
}

/** The dependencies of a host search. */
export interface ProbeTools extends StepLimits {
  readonly port: number;
  readonly classify: Classify;
  readonly findProvider: (mailHost: string) => MailProvider | null;
  readonly politeness: Politeness;
  readonly acceptedRecipients: AcceptedRecipients;
  readonly doNotProbe: DoNotProbe;
  readonly randomLocalPart: () => string;
}

export function probeTools(options: SmtpProberOptions): ProbeTools {
  return {
    ...options,
    politeness: options.politeness ?? UNLIMITED,
    acceptedRecipients: options.acceptedRecipients ?? NO_ACCEPTED_RECIPIENTS,
    doNotProbe: options.doNotProbe ?? NO_CURATED_LISTS,
    randomLocalPart: options.randomLocalPart ?? ((): string => randomLocalPart()),
  };
}
