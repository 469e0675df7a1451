import { Injectable } from '@nestjs/common';
import { DataSource, In, LessThan } from 'typeorm';
import { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';
import { UserEntity } from '../people/user.entity.js';

/** The audit log of one account. */
@Injectable()
export class AuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest first. @param before id of an entry */
  list(accountId: string, limit: number, before?: string): Promise<AuditEntryEntity[]> {
    return this.dataSource.getRepository(AuditEntryEntity).find({
      where: { accountId, ...(before === undefined ? {} : { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Those of these users that there still are. */
  async usersOf(ids: readonly string[]): Promise<ReadonlyMap<string, Pick<UserEntity, 'name' | 'operator'>>> {
    if (ids.length === 0) return new Map();
    const users = await this.dataSource.getRepository(UserEntity).findBy({ id: In([...ids]) });
    return new Map(users.map((user) => [user.id, user]));
  }
}
