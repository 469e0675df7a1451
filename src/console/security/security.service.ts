import { Injectable } from '@nestjs/common';
import { UserRepository } from '../people/user.repository.js';
import type { Client } from '../session/client.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { SessionRepository } from '../session/session.repository.js';
import { SessionsService, type BegunSession } from '../session/sessions.service.js';
import { Passwords } from '../sign-in/passwords.js';
import type { SessionsResponse } from './sessions.response.js';

/** What users do for the safety of their own access. */
@Injectable()
export class SecurityService {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly stored: SessionRepository,
  ) {}

  /** Ends all sessions of the user, and begins one anew for this browser. */
  async changePassword({ id }: ConsoleUser, password: string, client: Client): Promise<BegunSession> {
    const actor = { name: `user:${id}`, address: client.address };
    await this.users.setPassword(id, await this.passwords.hash(password), actor);
    return this.sessions.beginWhole(id, client);
  }

  async listSessions({ id, sessionId }: ConsoleUser): Promise<SessionsResponse> {
    const sessions = await this.stored.listOf(id);
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        address: session.address,
        user_agent: session.userAgent,
        current: session.id === sessionId,
      })),
    };
  }
}
