import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { appendUserAudit } from '../people/user-audit.repository.js';
import { endAccess, lockUser } from '../people/user.repository.js';
import { UserEntity } from '../people/user.entity.js';
import { clearSecondFactor } from '../sign-in/second-factor.repository.js';

/** A user as a provider knows it. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** As it is stored; null: the provider says none. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

export type FoundUser =
  | { readonly kind: 'found'; readonly user: UserEntity }
  /** `unknown`: nobody with this email, or a disabled user, or one that is bound to another identity. */
  | { readonly kind: 'unknown' | 'unverified' };

/** Finds users by what a provider says of them. */
@Injectable()
export class OidcUserRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Issuer and subject lead to the user whom they are bound to. An email does once: it binds them, and ends the password,
   * the codes and the sessions, which somebody else may have who opened the link of that email.
   */
  find(identity: ProvenIdentity, address: string | null): Promise<FoundUser> {
    const { issuer: oidcIssuer, subject: oidcSubject, email } = identity;
    return retriedSnapshot(this.dataSource, async (transaction): Promise<FoundUser> => {
      const bound = await transaction.findOneBy(UserEntity, { oidcIssuer, oidcSubject });
      if (bound !== null) return bound.disabledAt === null ? { kind: 'found', user: bound } : { kind: 'unknown' };
      if (email === null || !identity.isEmailVerified) return { kind: 'unverified' };
      const named = await transaction.findOneBy(UserEntity, { email });
      const user = named && (await lockUser(transaction, named.id));
      if (user === null || user.disabledAt !== null || user.oidcSubject !== null) return { kind: 'unknown' };
      const { id: userId } = user;
      const actor = { name: `user:${userId}`, address };
      await transaction.update(UserEntity, { id: userId }, { oidcIssuer, oidcSubject, passwordHash: null });
      await endAccess(transaction, userId);
      await clearSecondFactor(transaction, userId, actor);
      await appendUserAudit(transaction, { userId, actor, action: 'user.bind-oidc', details: { issuer: oidcIssuer } });
      return { kind: 'found', user: { ...user, passwordHash: null, totpOnAt: null } };
    });
  }
}
