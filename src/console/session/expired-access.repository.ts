import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Sessions, links and invitations that are over. */
@Injectable()
export class ExpiredAccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteSessions(limit: number): Promise<number> {
    return this.delete('DELETE FROM sessions WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?', limit);
  }

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteLinks(limit: number): Promise<number> {
    return this.delete('DELETE FROM user_links WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?', limit);
  }

  @PurgeEvery(10 * 60_000, 'delete-expired-sessions')
  deleteInvitations(limit: number): Promise<number> {
    return this.delete(
      'DELETE FROM invitations WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?',
      limit,
    );
  }

  private async delete(sql: string, limit: number): Promise<number> {
    return (await this.dataSource.query<{ affectedRows: number }>(sql, [limit])).affectedRows;
  }
}
