import { ApiProperty } from '@nestjs/swagger';
import { VerifyResult } from '../../verify/verify.response.js';
import { Charged } from '../charged.response.js';

export class ResultExplanation {
  @ApiProperty({ description: 'Why the verdict is what it is.' })
  readonly sentence!: string;

  @ApiProperty({ description: 'What to do with the address.' })
  readonly advice!: string;
}

/** A result as a person reads it. */
export class ExplainedResult {
  @ApiProperty()
  readonly result!: VerifyResult;

  @ApiProperty()
  readonly explanation!: ResultExplanation;
}

export class VerifyAnswer extends ExplainedResult {
  @ApiProperty()
  readonly charged!: Charged;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits that are left.' })
  readonly balance!: number;
}
