import type { DoNotProbe } from '../signals/lists.js';
import { NO_CURATED_LISTS } from '../signals/static-curated-lists.js';
import type { EgressPool } from './egress.js';
import { HostSearch, type ProbeTools } from './host-search.js';
import type { Classify } from './judge-recipient.js';
import { UNLIMITED, type Politeness } from './politeness.js';
import type { Prober, ProbeOutcome, ProbeRequest } from './prober.js';
import type { MailProvider } from './provider.js';
import { randomLocalPart } from './random-local-part.js';

export interface SmtpProberOptions {
  readonly egress: EgressPool;
  /** 25, except in laboratories. */
  readonly port: number;
  /** Each also cut by the check's deadline. */
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
  readonly classify: Classify;
  readonly findProvider: (mailHost: string) => MailProvider | null;
  /** Default: no limits. */
  readonly politeness?: Politeness | undefined;
  /** Who is never connected to. Default: nobody is listed. */
  readonly doNotProbe?: DoNotProbe | undefined;
  /** Lower-case letters and digits nobody can guess; for tests. */
  readonly randomLocalPart?: (() => string) | undefined;
}

/** Asks mail hosts over SMTP whether they would take mail for an address (decisions 6.3, 6.10). */
export class SmtpProber implements Prober {
  private readonly tools: ProbeTools;

  constructor(private readonly options: SmtpProberOptions) {
    this.tools = {
      ...options,
      politeness: options.politeness ?? UNLIMITED,
      doNotProbe: options.doNotProbe ?? NO_CURATED_LISTS,
      randomLocalPart: options.randomLocalPart ?? ((): string => randomLocalPart()),
    };
  }

  probe(request: ProbeRequest): Promise<ProbeOutcome> {
    return new HostSearch(this.tools, request, this.options.egress.choose(request.egress)).run();
  }
}
