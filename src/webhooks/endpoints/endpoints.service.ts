import { Injectable } from '@nestjs/common';
import type { KeyMode } from '../../auth/api-key.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { newId } from '../../platform/ids/uuid.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import { EVENT_TYPES } from '../event-type.js';
import { secretContext } from '../sealing-contexts.js';
import { newSigningSecret } from '../signing/signing-secret.js';
import type { EndpointEntity } from './endpoint.entity.js';
import { readEndpointUrl, type UrlRules } from './endpoint-url.js';
import { EndpointsRepository, MAX_ENDPOINTS, type EndpointKey } from './endpoints.repository.js';

/** What somebody wants of a new endpoint. */
export type WantedEndpoint = Pick<EndpointEntity, 'mode' | 'url' | 'events' | 'low'>;

/** Without secrets. */
export type Endpoint = Pick<
  EndpointEntity,
  'id' | 'accountId' | 'mode' | 'url' | 'events' | 'low' | 'failingSince' | 'disabledAt' | 'disabledBy' | 'createdAt'
>;

/** Shows a secret to who asked for it; if it rejects, nothing changes. */
export type ShowSecret = (shown: { readonly id: string; readonly secret: string }) => Promise<void>;

/** The endpoints of an account, for its keys, the console and commands. `actor` is for the audit log. */
@Injectable()
export class EndpointsService {
  private readonly rules: UrlRules;

  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly sealer: TextSealer,
    { smtp }: AppConfig,
  ) {
    this.rules = smtp;
  }

  /** Oldest first. */
  list(accountId: string, mode?: KeyMode): Promise<readonly Endpoint[]> {
    return this.endpoints.list(accountId, mode);
  }

  /** @throws AppError `not_found` */
  async read(key: EndpointKey): Promise<Endpoint> {
    return (await this.endpoints.find(key)) ?? missing();
  }

  /**
   * @returns with the secret, which is seen here and never again
   * @throws AppError `validation_failed`, `quota_exceeded`; `not_found` if there is no such account
   */
  async create(
    accountId: string,
    { mode, url, events, low }: WantedEndpoint,
    actor: Actor,
    show: ShowSecret = () => Promise.resolve(),
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
    const read = readEndpointUrl(url, this.rules);
    if (!read.ok) throw new AppError('validation_failed', `url ${read.rule}`);
    if ((low !== null) !== events.includes('credits.low')) {
      throw new AppError('validation_failed', 'low must be sent with the event credits.low, and only with it');
    }
    const id = newId();
    const secret = newSigningSecret();
    const row = {
      id,
      accountId,
      mode,
      url: read.href,
      events: EVENT_TYPES.filter((type) => events.includes(type)),
      low,
      secret: this.sealer.seal(secret, secretContext(id)),
    };
    const outcome = await this.endpoints.insert(row, actor, () => show({ id, secret }));
    if (outcome === 'unknown_account') throw noSuch('account');
    if (outcome === 'full') {
      throw new AppError('quota_exceeded', `An account has at most ${MAX_ENDPOINTS} webhook endpoints; delete one.`);
    }
    if (outcome === 'busy') {
      const message = 'Too many webhook endpoints of this account were deleted lately; retry in an hour.';
      throw new AppError('quota_exceeded', message, { retryAfterSeconds: 3600 });
    }
    return { endpoint: await this.read({ accountId, id }), secret };
  }

  /**
   * Replaces the secret. For 24 hours deliveries are signed with the old one too, after a second rotation with both old
   * ones.
   * @throws AppError `not_found`
   */
  async rotate(key: EndpointKey, actor: Actor, show: ShowSecret = () => Promise.resolve()): Promise<string> {
    const { id } = key;
    const secret = newSigningSecret();
    const sealed = this.sealer.seal(secret, secretContext(id));
    const isThere = await this.endpoints.rotate(key, sealed, actor, () => show({ id, secret }));
    return isThere ? secret : missing();
  }

  /** @throws AppError `not_found` */
  async enable(key: EndpointKey, actor: Actor): Promise<Endpoint> {
    return (await this.endpoints.enable(key, actor)) ? this.read(key) : missing();
  }

  /** Deliveries that wait become failed. @throws AppError `not_found` */
  async disable(key: EndpointKey, actor: Actor): Promise<Endpoint> {
    return (await this.endpoints.disable(key, actor)) ? this.read(key) : missing();
  }

  /** @throws AppError `not_found` */
  async delete(key: EndpointKey, actor: Actor): Promise<void> {
    if (!(await this.endpoints.delete(key, actor))) missing();
  }
}

function missing(): never {
  throw noSuch('webhook endpoint');
}
