import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { Freshness } from '../verify.response.js';
import { DOMAIN_PROFILES, type DomainProfile } from './domain-profiles.js';

/** Statements of lists, tables and earlier checks about an address in the sandbox; all are optional. */
export interface Said {
  readonly disposable?: true;
  readonly role?: true;
  readonly freemail?: true;
  /** The name of the relay. */
  readonly relay?: string;
  readonly blocked?: { readonly label: string | null };
  readonly spamTrap?: true;
  /** The mail host's provider accepts every recipient. */
  readonly acceptsAll?: 'always' | 'sometimes';
  /** The domain is known to accept every recipient. */
  readonly catchAll?: true;
}

/** The facts behind a sandbox result: shaped like live ones, but no host was asked. */
export interface Fixture {
  readonly mailHosts: 'found' | 'none' | 'broken';
  /** null: no mail host was asked. */
  readonly probe: ProbeFacts | null;
  /** A probe is needed, and left to the worker. */
  readonly deferred: boolean;
  readonly said: Said;
  /** null: the domain was not crawled yet. */
  readonly domain: DomainProfile | null;
  readonly freshness: Freshness;
  /** False: as if recorded before reasons were stored. */
  readonly reasonKept: boolean;
}

const USUAL: Fixture = {
  mailHosts: 'found',
  probe: null,
  deferred: false,
  said: {},
  domain: DOMAIN_PROFILES.ordinary,
  freshness: 'fresh',
  reasonKept: true,
};

/** A default fixture with overrides: an ordinary domain with a mail host that was not asked. */
export function fixture(over: Partial<Fixture> = {}): Fixture {
  return { ...USUAL, ...over };
}
