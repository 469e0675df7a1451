import { Injectable } from '@nestjs/common';
import { readJson } from '../../platform/database/read-json.js';
import type { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';
import { isId } from '../../platform/ids/uuid.js';
import { AuditRepository } from './audit.repository.js';
import type { PageRequest } from '../page.request.js';
import type { AuditActor, AuditResponse } from './audit.response.js';

const FORMER = 'former user';
/** Acts whose subject is a user. */
const ON_USERS = /^(member|user)\./;

type Users = Awaited<ReturnType<AuditRepository['usersOf']>>;

/** What was done to an account, by whom. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  async list(accountId: string, { cursor, limit }: PageRequest): Promise<AuditResponse> {
    const entries = await this.repository.list(accountId, limit + 1, cursor?.toLowerCase());
    const shown = entries.slice(0, limit);
    const users = await this.repository.usersOf([...new Set(shown.flatMap(userIdsOf))]);
    return {
      entries: shown.map((entry) => ({
        id: entry.id,
        at: entry.at.toISOString(),
        actor: toActor(entry.actor, users),
        action: entry.action,
        subject: toSubject(entry, users),
        details: readJson(entry.details),
        address: entry.address,
      })),
      next: entries.length > limit ? shown.at(-1)!.id : null,
    };
  }
}

/** `user:<id>` names a user of the console, `operator:<name>` somebody at a shell; anything else is the system. */
function toActor(actor: string, users: Users): AuditActor {
  const colon = actor.indexOf(':');
  const [kind, name] = [actor.slice(0, colon), actor.slice(colon + 1)];
  if (kind === 'operator') return { kind, name };
  if (kind !== 'user') return { kind: 'system', name: actor };
  const user = users.get(name);
  return { kind: user?.operator === 1 ? 'operator' : 'user', name: user?.name ?? FORMER };
}

function toSubject({ action, subject }: AuditEntryEntity, users: Users): string | null {
  return subject !== null && ON_USERS.test(action) ? (users.get(subject)?.name ?? FORMER) : subject;
}

function userIdsOf({ actor, action, subject }: AuditEntryEntity): string[] {
  const named = [actor.startsWith('user:') ? actor.slice('user:'.length) : '', ON_USERS.test(action) ? subject : ''];
  return named.filter((id): id is string => id !== null && isId(id));
}
