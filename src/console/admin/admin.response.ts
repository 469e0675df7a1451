import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CreditAmounts, OverviewAccount } from '../overview/overview.response.js';
import { PORT_VERDICTS, type PortVerdict } from '../../platform/egress/port-evidence.js';
import { MemberResponse } from '../team/team.response.js';
import { COUNT, TIME_OR_NULL } from '../../platform/openapi/field-schemas.js';

@ApiSchema({ name: 'AdminAccount' })
export class AdminAccount extends OverviewAccount {
  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;

  @ApiProperty(COUNT)
  readonly credits_total!: number;
}

@ApiSchema({ name: 'AdminAccountDetail' })
export class AdminAccountDetail extends AdminAccount {
  @ApiProperty({ type: MemberResponse, isArray: true })
  readonly members!: readonly MemberResponse[];

  @ApiProperty()
  readonly balance!: CreditAmounts;

  @ApiProperty({ ...COUNT, description: 'Keys, ended ones too.' })
  readonly keys!: number;
}

@ApiSchema({ name: 'AdminAccountPage' })
export class AdminAccountPage {
  @ApiProperty({ type: AdminAccount, isArray: true, description: 'Newest first.' })
  readonly accounts!: readonly AdminAccount[];

  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next!: string | null;
}

export class PlanResponse {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: ['integer', 'null'] as never },
    description: 'Its figures, as `plan list` names them; null: unlimited.',
  })
  readonly figures!: Readonly<Record<string, number | null>>;
}

export class PlanList {
  @ApiProperty({ type: PlanResponse, isArray: true, description: 'The smallest rate first.' })
  readonly plans!: readonly PlanResponse[];
}

export class QueueState {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty(COUNT)
  readonly waiting!: number;

  @ApiProperty(COUNT)
  readonly active!: number;

  @ApiProperty(COUNT)
  readonly delayed!: number;

  @ApiProperty({ ...COUNT, description: 'Failed for good.' })
  readonly failed!: number;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: nothing waits.' })
  readonly oldest_waiting_seconds!: number | null;
}

export class FailedWorkItem {
  @ApiProperty()
  readonly queue!: string;

  @ApiProperty()
  readonly job_id!: string;

  @ApiProperty()
  readonly reason!: string;

  @ApiProperty({ format: 'date-time' })
  readonly failed_at!: string;
}

export class QueuesResponse {
  @ApiProperty({ type: QueueState, isArray: true })
  readonly queues!: readonly QueueState[];

  @ApiProperty({ type: FailedWorkItem, isArray: true, description: 'The latest hundred, latest first.' })
  readonly failed!: readonly FailedWorkItem[];
}

export class RetriedResponse {
  @ApiProperty(COUNT)
  readonly retried!: number;
}

export class ListState {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ ...COUNT, description: 'Entries that were fetched.' })
  readonly entries!: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null: the shipped list counts alone.' })
  readonly refreshed_at!: string | null;

  @ApiProperty({ ...COUNT, nullable: true })
  readonly age_seconds!: number | null;

  @ApiProperty({ description: 'False: its source should be checked.' })
  readonly healthy!: boolean;
}

export class EgressResponse {
  @ApiProperty({ description: 'The process that probes this way, and where it runs.' })
  readonly process!: string;

  @ApiProperty()
  readonly helo_name!: string;

  @ApiProperty({ type: 'boolean', nullable: true })
  readonly helo_resolves!: boolean | null;

  @ApiProperty({ type: 'boolean', nullable: true })
  readonly reverse_dns_matches!: boolean | null;

  @ApiProperty({ enum: PORT_VERDICTS, description: 'Of the port for mail.' })
  readonly port!: PortVerdict;

  @ApiProperty()
  readonly failing!: boolean;
}

export class BackOff {
  @ApiProperty({ description: 'The provider, or the domain of its mail hosts.' })
  readonly host!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null: all domains there.' })
  readonly domain!: string | null;

  @ApiProperty({ description: 'The way out that was refused, as `SMTP_EGRESS` names it; without user and password.' })
  readonly egress!: string;

  @ApiProperty({ ...COUNT, description: 'Refusals in a row.' })
  readonly refusals!: number;

  @ApiProperty({ format: 'date-time' })
  readonly until!: string;
}

export class LedgerAuditResult {
  @ApiProperty({ format: 'date-time' })
  readonly at!: string;

  @ApiProperty(COUNT)
  readonly accounts!: number;

  @ApiProperty({ ...COUNT, description: 'Accounts that do not add up.' })
  readonly mismatches!: number;
}

@ApiSchema({ name: 'SystemReport' })
export class SystemReport {
  @ApiProperty({ type: ListState, isArray: true })
  readonly lists!: readonly ListState[];

  @ApiProperty({
    type: EgressResponse,
    isArray: true,
    nullable: true,
    description: 'The ways out of every process that probes, up to a minute late. Null: Redis does not answer.',
  })
  readonly egress!: readonly EgressResponse[] | null;

  @ApiProperty({
    type: BackOff,
    isArray: true,
    nullable: true,
    description:
      'Mail hosts that are left alone: the 200 pauses that end last, the last first. Null: Redis does not answer.',
  })
  readonly politeness!: readonly BackOff[] | null;

  @ApiProperty({
    type: LedgerAuditResult,
    nullable: true,
    description: 'The last daily audit. Null: there was none yet.',
  })
  readonly ledger_audit!: LedgerAuditResult | null;
}
