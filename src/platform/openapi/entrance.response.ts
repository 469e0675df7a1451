import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'Paths that need no key.' })
class EntranceLinks {
  @ApiProperty({ description: 'This document.' })
  readonly description!: string;

  @ApiProperty({ description: 'The same for people.' })
  readonly reference!: string;

  @ApiProperty({ description: 'Whether the process lives.' })
  readonly live!: string;

  @ApiProperty({ description: 'Whether it can serve.' })
  readonly ready!: string;
}

@ApiSchema({ description: 'What answers here.' })
export class Entrance {
  @ApiProperty({ description: 'Of the product.' })
  readonly name!: string;

  @ApiProperty({ description: 'Of the product, not of the API.' })
  readonly version!: string;

  @ApiProperty()
  readonly links!: EntranceLinks;
}
