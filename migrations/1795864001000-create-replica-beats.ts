import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A counter: whether a replica has its last figure shows how late it is. */
export class CreateReplicaBeats1795864001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE replica_beats (
        id tinyint NOT NULL,
        beat bigint unsigned NOT NULL,
        PRIMARY KEY (id)
      ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
    );
    await queryRunner.query('INSERT INTO replica_beats (id, beat) VALUES (1, 0)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE replica_beats');
  }
}
