import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Deadline } from '../../engine/deadline.js';
import type { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { ownResolver } from '../../platform/dns/configured-servers.js';
import { clearance } from '../../platform/egress/clearance.js';
import { HttpsClient } from '../../platform/https/https-client.js';
import type { HttpsOutcome } from '../../platform/https/http-exchange.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import { readEndpointUrl, type UrlRules } from '../endpoints/endpoint-url.js';

/** Why an attempt had no answer. `interrupted`: this process stops. `unreadable`: the key is gone that sealed secret or body. */
export type DeliveryFault =
  | 'bad_url'
  | 'certificate'
  | 'dns'
  | 'forbidden_address'
  | 'interrupted'
  | 'no_address'
  | 'no_answer'
  | 'timeout'
  | 'unreadable';

export type Attempt = (
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null; readonly answer: string }
  /** `ours`: the cause is on our side. */
  | { readonly kind: 'unanswered'; readonly fault: DeliveryFault; readonly ours: boolean }
) & { readonly tookMs: number };

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The part of the configuration that it needs. */
type SenderConfig = Pick<AppConfig, 'dns'> & { readonly smtp: Pick<AppConfig['smtp'], 'allowPrivateNetworks'> };

/** Of a whole attempt, look-up and connection included. */
const ATTEMPT_MS = 15_000;
const ANSWER_OCTETS = 4096;
const CACHE_ENTRIES = 10_000;

/** Sends messages under the rules of all outgoing requests (decisions 6.2), with a DNS resolver of its own. */
@Injectable()
export class DeliverySender implements OnApplicationShutdown {
  private readonly resolver: DnsResolver;
  private readonly https: HttpsClient;
  private readonly rules: UrlRules;

  constructor(@Inject(AppConfig) { dns, smtp }: SenderConfig) {
    this.rules = smtp;
    const resolver = (this.resolver = ownResolver(dns, CACHE_ENTRIES));
    this.https = new HttpsClient({ resolver, clearance: clearance(smtp.allowPrivateNetworks) });
  }

  /** Never rejects because of the receiver or the network. */
  send({ url, headers, body }: Message, stop: AbortSignal): Promise<Attempt> {
    const began = performance.now();
    return withDeadline(ATTEMPT_MS, stop, async (deadline) => {
      const outcome = await this.attempt(url, { headers, body }, deadline);
      const tookMs = Math.round(performance.now() - began);
      if ('fault' in outcome && deadline.expired) {
        return { ...outcome, fault: stop.aborted ? 'interrupted' : 'timeout', tookMs };
      }
      return { ...outcome, tookMs };
    });
  }

  onApplicationShutdown(): void {
    this.resolver.close();
  }

  private async attempt(
    url: string,
    { headers, body }: Pick<Message, 'headers' | 'body'>,
    deadline: Deadline,
  ): Promise<Untimed> {
    // The rules may have changed since the endpoint was made.
    const read = readEndpointUrl(url, this.rules);
    if (!read.ok) return unanswered('bad_url');
    return toAttempt(await this.https.ask({ ...read.target, headers, body, maxOctets: ANSWER_OCTETS, deadline }));
  }
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'tookMs'> : never;
type Untimed = WithoutTime<Attempt>;

function unanswered(fault: DeliveryFault, ours = false): Untimed {
  return { kind: 'unanswered', fault, ours };
}

/** A posted message is never refused for the size of its answer. */
const REFUSED = {
  address: 'forbidden_address',
  certificate: 'certificate',
  no_address: 'no_address',
  size: 'no_answer',
} as const;

function toAttempt(outcome: HttpsOutcome): Untimed {
  if (outcome.kind === 'failed') return unanswered(outcome.dns ? 'dns' : 'no_answer', outcome.ours);
  if (outcome.kind === 'refused') return unanswered(REFUSED[outcome.why]);
  const { status, headers, body } = outcome;
  return { kind: 'answered', status, retryAfter: headers['retry-after'] ?? null, answer: body ?? '' };
}
