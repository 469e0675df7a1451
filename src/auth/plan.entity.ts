import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an account may do (decisions 2.2). Seeded by a migration, edited by the operator. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name!: string;

  @Column({ type: 'int', unsigned: true })
  requestsPerMinute!: number;

  @Column({ type: 'int', unsigned: true })
  freeVerifiesPerMonth!: number;

  @Column({ type: 'int', unsigned: true })
  guardDecisionsPerMonth!: number;
}
