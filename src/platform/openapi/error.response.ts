import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../errors/error-code.js';

@ApiSchema({ description: 'What went wrong.' })
class ErrorDetail {
  @ApiProperty({ enum: ERROR_CODES, enumName: 'ErrorCode', description: 'Stable: branch on it.' })
  readonly code!: ErrorCode;

  @ApiProperty({ description: 'For people. Names fields and rules; its wording may change.' })
  readonly message!: string;
}

/** The body of every error answer. */
@ApiSchema({ description: 'The body of every answer that is not a success.' })
export class ErrorResponse {
  @ApiProperty()
  readonly error!: ErrorDetail;
}
