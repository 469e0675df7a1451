import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { Freshness } from '../verify.response.js';
import { DOMAIN_PROFILES, type DomainProfile } from './domain-profiles.js';

/** What lists, tables and earlier checks say of an address, in the sandbox. What is left out they do not say. */
export interface Said {
  readonly disposable?: true;
  readonly role?: true;
  readonly freemail?: true;
  /** The name of the relay. */
  readonly relay?: string;
  readonly blocked?: { readonly label: string | null };
  readonly spamTrap?: true;
  /** The provider of the mail host accepts every recipient. */
  readonly acceptsAll?: 'always' | 'sometimes';
  /** The domain is known to accept every recipient. */
  readonly catchAll?: true;
}

/** The facts behind a result of the sandbox: those of a live one, without anybody having been asked for them. */
export interface Fixture {
  readonly mailHosts: 'found' | 'none' | 'broken';
  /** null: no mail host was asked. */
  readonly probe: ProbeFacts | null;
  /** A probe is needed, and left to others. */
  readonly deferred: boolean;
  readonly said: Said;
  /** null: the domain was not crawled yet. */
  readonly domain: DomainProfile | null;
  readonly freshness: Freshness;
  /** False: as recorded before reasons were kept. */
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

/** A fixture that is usual but for what is told: of an ordinary domain with a mail host, which was not asked. */
export function fixture(over: Partial<Fixture> = {}): Fixture {
  return { ...USUAL, ...over };
}
