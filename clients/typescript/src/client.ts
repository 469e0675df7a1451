import { type CallOptions, charged, type ChargedCallOptions, Connection } from './connection.js';
import { Domains } from './domains.js';
import { Guard } from './guard.js';
import { Jobs } from './jobs.js';
import { type MailvetOptions, readSettings } from './settings.js';
import type {
  BatchResults,
  CreditsStatus,
  Entry,
  VerifyBatchRequest,
  VerifyResult,
  VerifySingleRequest,
} from './types.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** A Mailvet service. Fields of requests and results have the names of its API. */
export class Mailvet {
  readonly jobs: Jobs;
  readonly domains: Domains;
  readonly guard: Guard;
  readonly webhooks: WebhookEndpoints;
  private readonly connection: Connection;

  constructor(options: MailvetOptions = {}) {
    this.connection = new Connection(readSettings(options));
    this.jobs = new Jobs(this.connection);
    this.domains = new Domains(this.connection);
    this.guard = new Guard(this.connection);
    this.webhooks = new WebhookEndpoints(this.connection);
  }

  /** Verifies one address while you wait. */
  async verify(request: VerifySingleRequest, options: ChargedCallOptions = {}): Promise<VerifyResult> {
    const call = { ...charged(options), path: '/v1/verify/single', json: request };
    return (await this.connection.send<VerifyResult>(call, options)).body;
  }

  /** Verifies up to 100 addresses from the cache and DNS: an entry for each, in the order sent. */
  async verifyBatch(request: VerifyBatchRequest, options: ChargedCallOptions = {}): Promise<readonly Entry[]> {
    const call = { ...charged(options), path: '/v1/verify/batch', json: request };
    return (await this.connection.send<BatchResults>(call, options)).body.results;
  }

  /** What the account may ask for and pay with. */
  async credits(options: CallOptions = {}): Promise<CreditsStatus> {
    const call = { method: 'GET', path: '/v1/credits', repeatable: 'yes' } as const;
    return (await this.connection.send<CreditsStatus>(call, options)).body;
  }
}
