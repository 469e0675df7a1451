import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Sessions and links that are over. */
@Injectable()
export class ExpiredAccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  deleteSessions(limit: number): Promise<number> {
    return this.delete('DELETE FROM sessions WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?', limit);
  }

  deleteLinks(limit: number): Promise<number> {
    return this.delete('DELETE FROM user_links WHERE expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?', limit);
  }

  private async delete(sql: string, limit: number): Promise<number> {
    return (await this.dataSource.query<{ affectedRows: number }>(sql, [limit])).affectedRows;
  }
}
