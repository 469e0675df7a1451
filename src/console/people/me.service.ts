import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import type { MeResponse, UserResponse } from './me.response.js';
import type { ChangeMeRequest } from './me.request.js';
import { UserRepository } from './user.repository.js';
import type { UserEntity } from './user.entity.js';
import { displayName } from './welcome.service.js';

@Injectable()
export class MeService {
  constructor(private readonly users: UserRepository) {}

  async read(userId: string): Promise<MeResponse> {
    const [user, memberships] = await Promise.all([this.users.getById(userId), this.users.membershipsOf(userId)]);
    const accounts = memberships.map(({ role, account: { id, name, planName, suspendedAt } }) => ({
      id,
      name,
      plan: planName,
      suspended: suspendedAt !== null,
      role,
    }));
    const last = accounts.some(({ id }) => id === user.lastAccountId) ? user.lastAccountId : null;
    return { user: toUserResponse(user), accounts, last_account: last };
  }

  async change(userId: string, { name }: ChangeMeRequest, actor: Actor): Promise<UserResponse> {
    if (name !== undefined) await this.users.rename(userId, displayName(name), actor);
    return toUserResponse(await this.users.getById(userId));
  }
}

function toUserResponse(user: UserEntity): UserResponse {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    operator: user.operator === 1,
    totp: user.totpOnAt !== null,
    oidc: user.oidcSubject !== null,
    has_password: user.passwordHash !== null,
  };
}
