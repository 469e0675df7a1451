import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DomainObject } from '../domains/domain.response.js';
import { SMTP_DIAGNOSES, type SmtpDiagnosis } from '../engine/smtp/classification.js';
import {
  REASONS,
  RECOMMENDATIONS,
  RESULTS,
  type Reason,
  type Recommendation,
  type Result,
} from '../engine/verdict/result.js';

const FRESHNESS = ['fresh', 'cached_recent', 'cached_stale_refreshed'] as const;
/** `freshness` of the contract (decisions 6.7). */
export type Freshness = (typeof FRESHNESS)[number];

const TRAP_TYPES = ['known_trap_domain', 'reputation_heuristic'] as const;

@ApiSchema({ description: 'Advice: the policy is yours.' })
export class Decision {
  @ApiProperty({ enum: RECOMMENDATIONS, description: 'What to do.' })
  readonly recommendation!: Recommendation;

  @ApiProperty({ type: 'string', isArray: true, description: 'The signals that led to it. An open set.' })
  readonly reasons!: readonly string[];
}

/** The verify result object of the contract: all keys in every answer, in the contract's order. */
@ApiSchema({ description: 'What was found out about an address.' })
export class VerifyResult {
  @ApiProperty({ description: 'The address, trimmed and lowercased.' })
  readonly email!: string;

  @ApiProperty({ enum: RESULTS, description: 'The verdict.' })
  readonly result!: Result;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description:
      'true: the mailbox accepted the probe; false: it provably takes no mail; null: not proven, which is not bad.',
  })
  readonly deliverable!: boolean | null;

  @ApiProperty({
    enum: REASONS,
    nullable: true,
    description: 'Why; null: not probed, or recorded before reasons were.',
  })
  readonly reason!: Reason | null;

  @ApiProperty({ description: 'A mail host with a public address exists.' })
  readonly mx!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'The best mail host.' })
  readonly mx_record!: string | null;

  @ApiProperty({ description: 'Throw-away provider.' })
  readonly disposable!: boolean;

  @ApiProperty({ description: 'Shared mailbox, such as `info@`.' })
  readonly role!: boolean;

  @ApiProperty({ description: 'The host accepts any recipient.' })
  readonly catch_all!: boolean;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Freemail provider; null when the domain is not classified.',
  })
  readonly free_email!: boolean | null;

  @ApiProperty({ description: 'Alias or forwarding service.' })
  readonly relay!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Which.' })
  readonly relay_provider!: string | null;

  @ApiProperty({ description: 'Parked domain.' })
  readonly parked!: boolean;

  @ApiProperty({ description: 'Known or suspected spam trap.' })
  readonly spam_trap!: boolean;

  @ApiProperty({ enum: TRAP_TYPES, nullable: true, description: 'How that is known.' })
  readonly spam_trap_type!: (typeof TRAP_TYPES)[number] | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The address that was probably meant.' })
  readonly suggested_correction!: string | null;

  @ApiProperty({ enum: SMTP_DIAGNOSES, nullable: true, description: 'Of enhanced calls: what the mail host said.' })
  readonly smtp_diagnosis!: SmtpDiagnosis | null;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true, description: 'Higher is safer to send to.' })
  readonly score!: number | null;

  @ApiProperty({ enum: FRESHNESS, description: 'Whether it was checked for this call.' })
  readonly freshness!: Freshness;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the check ran, not when it was asked for. UTC, ISO 8601 with milliseconds.',
  })
  readonly checked_at!: string | null;

  /** null until the domain has been crawled, and for input that is no address. */
  @ApiProperty({ type: () => DomainObject, nullable: true, description: 'Null until the domain was crawled.' })
  readonly domain!: DomainObject | null;

  @ApiProperty()
  readonly decision!: Decision;

  @ApiProperty({ description: "A guard's call past the monthly quota: no check was made." })
  readonly degraded!: boolean;
}
