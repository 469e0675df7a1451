import { ApiProperty } from '@nestjs/swagger';

/** What a call took. */
export class Charged {
  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly credits!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly free_verifies!: number;
}
