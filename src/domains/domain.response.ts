import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DOMAIN_TYPES, type DomainType } from './classify/classify-domain.js';
import { DMARC_POLICIES, type DmarcPolicy } from './records/dmarc-record.js';
import { DNSSEC_STATUSES, type DnssecStatus } from './records/dnssec.js';

/** The domain object of the contract. Keys are in the contract's order, all present in every answer. */
@ApiSchema({ name: 'Domain', description: 'What is known of a domain.' })
export class DomainObject {
  @ApiProperty({ description: 'The domain behind the address.' })
  readonly name!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...DOMAIN_TYPES], description: 'What kind of domain it is.' },
    minItems: 1,
    uniqueItems: true,
    nullable: true,
    description: 'What it is; null when it is not classified.',
  })
  readonly types!: readonly DomainType[] | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    description: 'Reputation, higher is better; null when it is not scored yet.',
  })
  readonly score!: number | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'There is an SPF record.' })
  readonly spf!: boolean | null;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'A DKIM key stands at one of the common selectors; false proves nothing.',
  })
  readonly dkim!: boolean | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'There is a DMARC record.' })
  readonly dmarc!: boolean | null;

  @ApiProperty({ enum: DMARC_POLICIES, nullable: true, description: 'The DMARC policy that applies.' })
  readonly dmarc_policy!: DmarcPolicy | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'There is an MTA-STS policy.' })
  readonly mta_sts!: boolean | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'There is a TLS-RPT record.' })
  readonly tls_rpt!: boolean | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'There is a BIMI record.' })
  readonly bimi!: boolean | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'The mail hosts have DANE/TLSA records.' })
  readonly dane!: boolean | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'DNS blacklists that list its mail hosts or itself.',
  })
  readonly blacklists!: number | null;

  @ApiProperty({ enum: DNSSEC_STATUSES, nullable: true, description: 'What DNSSEC validation says.' })
  readonly dnssec!: DnssecStatus | null;

  @ApiProperty({ type: 'boolean', nullable: true, description: 'A CAA record says who may issue certificates.' })
  readonly caa!: boolean | null;

  @ApiProperty({ description: 'On the blocklist: treat its addresses as unsafe.' })
  readonly blocked!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why, for the public.' })
  readonly blocked_label!: string | null;
}
