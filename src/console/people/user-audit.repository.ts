import type { EntityManager } from 'typeorm';
import { appendAudit, type Actor, type AuditEntry } from '../../platform/audit/audit-log.repository.js';
import { MembershipEntity } from './membership.entity.js';

export interface UserAct {
  readonly userId: string;
  readonly actor: Actor;
  readonly action: string;
  readonly details?: AuditEntry['details'];
}

/** Writes an act on a user to the log of each account that the user is a member of, where its owners read it. */
export async function appendUserAudit(transaction: EntityManager, { userId, ...act }: UserAct): Promise<void> {
  const memberships = await transaction.findBy(MembershipEntity, { userId });
  const accounts = memberships.length > 0 ? memberships.map(({ accountId }) => accountId) : [null];
  for (const accountId of accounts) await appendAudit(transaction, { ...act, accountId, subject: userId });
}
