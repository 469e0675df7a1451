import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { newId } from '../../platform/ids/uuid.js';
import type { UserEntity } from '../people/user.entity.js';
import type { Client } from './client.js';
import { hashToken, newToken } from './token.js';
import { SessionRepository, type NewSession, type SignInProof } from './session.repository.js';

const FULL_SECONDS = 7 * 24 * 60 * 60;
const HALF_SECONDS = 10 * 60;
const MAX_CODES = 5;

type Stage = NewSession['stage'];
type ProvenUser = SignInProof & Pick<UserEntity, 'id'>;

/** A session as its browser has to know it. */
export interface BegunSession {
  readonly stage: Stage;
  /** Seen here and never again. */
  readonly token: string;
  readonly lifeSeconds: number;
}

/** Begins sessions. */
@Injectable()
export class SessionsService {
  constructor(private readonly sessions: SessionRepository) {}

  /**
   * A session of a user whose password was right: a half one where an authentication code is still to come.
   * @throws AppError what `beginWhole` throws
   */
  begin(user: ProvenUser, client: Client): Promise<BegunSession> {
    return this.beginAt(user, user.totpOnAt === null ? 'full' : 'code', client);
  }

  /**
   * A whole session, of a user who has proven all that is asked for.
   * @throws AppError `unauthorized` if the user has another password by now, or is disabled
   */
  beginWhole(user: ProvenUser, client: Client): Promise<BegunSession> {
    return this.beginAt(user, 'full', client);
  }

  /** Counts an authentication code; false: the session has had its tries, and is ended. */
  async countCode(userId: string, sessionId: string): Promise<boolean> {
    if (await this.sessions.countCode(sessionId, MAX_CODES)) return true;
    await this.sessions.end(userId, sessionId, null);
    return false;
  }

  /**
   * Replaces a half session by a whole one with another token.
   * @throws AppError `unauthorized` if the half session has ended meanwhile
   */
  async complete(userId: string, sessionId: string, client: Client): Promise<BegunSession> {
    const { begun, stored } = make(userId, 'full', client);
    if (await this.sessions.replace(sessionId, stored)) return begun;
    throw signInHasEnded();
  }

  /** Another token for a whole session, and its hash to be stored. */
  renewal(): { readonly renewed: BegunSession; readonly tokenSha256: string } {
    const renewed = beginning('full');
    return { renewed, tokenSha256: hashToken(renewed.token)! };
  }

  private async beginAt(user: ProvenUser, stage: Stage, client: Client): Promise<BegunSession> {
    const { begun, stored } = make(user.id, stage, client);
    if (await this.sessions.insert(stored, user)) return begun;
    throw signInHasEnded();
  }
}

export function signInHasEnded(): AppError {
  return new AppError('unauthorized', 'The sign-in has ended; sign in again.');
}

function make(userId: string, stage: Stage, client: Client): { begun: BegunSession; stored: NewSession } {
  const begun = beginning(stage);
  const { token, lifeSeconds } = begun;
  return { begun, stored: { ...client, id: newId(), userId, tokenSha256: hashToken(token)!, stage, lifeSeconds } };
}

function beginning(stage: Stage): BegunSession {
  return { stage, token: newToken(), lifeSeconds: stage === 'full' ? FULL_SECONDS : HALF_SECONDS };
}
