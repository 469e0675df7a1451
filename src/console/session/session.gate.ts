import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestGate } from '../../platform/http/request-gate.js';
import { isId } from '../../platform/ids/uuid.js';
import { AccountKeys } from '../account-key/account-keys.js';
import type { Access } from './access.js';
import { isMemberRole, refusalOf } from './judge-access.js';
import { OwnOrigin } from './own-origin.js';
import { SessionCookie } from './session-cookie.js';
import { SessionRepository, type FoundSession } from './session.repository.js';
import { UserRate } from './user-rate.js';

/**
 * Admits requests to the console: a write from our own page, a session where the route needs one, and the role that it needs in
 * the account of its path. Leaves in the request's context who asks, and on metered routes the caller who is charged.
 */
@Injectable()
export class SessionGate extends RequestGate {
  private readonly logger = new Logger('Console');

  constructor(
    private readonly origin: OwnOrigin,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionRepository,
    private readonly keys: AccountKeys,
    private readonly rate: UserRate,
  ) {
    super();
  }

  override async admit(request: FastifyRequest): Promise<void> {
    const { access, billing } = request.routeOptions.config;
    this.origin.check(request);
    if (access === 'anybody') return;
    const found = await this.find(request, access);
    if (found !== null) {
      this.rate.take(found.user.id);
      this.remember(request, found);
    }
    const refusal = refusalOf(access, request.context, found?.stage ?? null);
    if (refusal !== null) throw refusal;
    if (billing === 'verify') await this.keys.charge(request);
  }

  private find(request: FastifyRequest, access: Access | undefined): Promise<FoundSession | null> {
    const token = this.cookie.read(request);
    if (token === null) return Promise.resolve(null);
    return this.sessions.find(token, isMemberRole(access) ? accountIn(request) : null);
  }

  private remember({ context }: FastifyRequest, { user, caller, stage, isUseDue, isAccountNew }: FoundSession): void {
    context.consoleUser = user;
    context.accountId = user.id;
    if (stage !== 'full') return;
    if (isUseDue) this.inBackground(this.sessions.noteUse(user.sessionId));
    if (caller === null) return;
    context.consoleCaller = caller;
    context.accountId = caller.account.id;
    if (isAccountNew) this.inBackground(this.sessions.noteAccount(user.id, caller.account.id));
  }

  private inBackground(work: Promise<void>): void {
    work.catch((err: unknown) => this.logger.warn({ err }, 'the use of a session could not be noted'));
  }
}

/** The account of the path; null for text that is no id. */
function accountIn({ params }: FastifyRequest): string | null {
  const { account = '' } = params as { readonly account?: string };
  const id = account.toLowerCase();
  return isId(id) ? id : null;
}
