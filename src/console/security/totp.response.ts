import { ApiProperty } from '@nestjs/swagger';

export class TotpSecretResponse {
  @ApiProperty({ description: 'To be typed into an app, in base32.' })
  readonly secret!: string;

  @ApiProperty({ description: 'To be shown as a QR code.' })
  readonly uri!: string;
}

export class RecoveryCodesResponse {
  @ApiProperty({ type: [String], description: 'Each stands in once for a code of the app. They are shown once.' })
  readonly recovery_codes!: readonly string[];
}
