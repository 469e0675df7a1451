import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Sessions, links and invitations that are over. */
@Injectable()
export class ExpiredAccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteSessions(limit: number): Promise<number> {
    return this.deleteFrom('sessions', limit);
  }

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteLinks(limit: number): Promise<number> {
    return this.deleteFrom('user_links', limit);
  }

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteInvitations(limit: number): Promise<number> {
    return this.deleteFrom('invitations', limit);
  }

  private async deleteFrom(table: string, limit: number): Promise<number> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      DELETE FROM ${() => table} WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ${limit}`;
    return affectedRows;
  }
}
