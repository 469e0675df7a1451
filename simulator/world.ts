import { findProvider } from '../src/engine/smtp/providers/find-provider.js';
import { mailHostGroup } from '../src/engine/smtp/mail-host-group.js';
import type { MailProvider } from '../src/engine/smtp/provider.js';

/** How a mail host behaves; what is left out is done politely. */
export interface Behaviour {
  readonly roundTripMs: number;
  /** Nobody answers: a connection fails after this time. */
  readonly unreachableAfterMs?: number;
  /** Refuses us at its greeting. */
  readonly refusesUs?: boolean;
  /** Defers an acceptable recipient at its first try; `null`: it names no delay. */
  readonly greylists?: { readonly namedSeconds: number | null };
  /** Refusals in one session after which it hangs up. */
  readonly hangsUpAfterErrors?: number;
  /** Recipients of a session after which it takes no more. */
  readonly recipientsPerSession?: number;
  /** Refuses unknown recipients in words that do not say whom they mean. */
  readonly refusesVaguely?: boolean;
}

/** A mail host and what the product knows of it. */
export interface SimulatedHost {
  readonly name: string;
  readonly provider: MailProvider | null;
  readonly group: string;
  readonly behaviour: Behaviour;
}

export interface SimulatedDomain {
  readonly name: string;
  readonly host: SimulatedHost;
}

/** One address of a job. */
export interface Recipient {
  readonly domain: SimulatedDomain;
  readonly exists: boolean;
  /** It was deferred before. */
  tried: boolean;
  /** Its one retry on a fresh connection is unused. */
  retryLeft: boolean;
  /** It was moved to the next transaction, for the last one was full. */
  moved: boolean;
}

export function simulatedHost(name: string, behaviour: Behaviour): SimulatedHost {
  const provider = findProvider(name);
  return { name, provider, group: mailHostGroup(name, provider), behaviour };
}

export function recipientOf(domain: SimulatedDomain, exists: boolean): Recipient {
  return { domain, exists, tried: false, retryLeft: true, moved: false };
}
