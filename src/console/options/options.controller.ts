import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../platform/config/app-config.js';
import { PRODUCT_VERSION } from '../../platform/process/product-version.js';
import { Anybody } from '../session/access.js';
import { OptionsResponse } from './options.response.js';

@Controller('console/api/options')
@ApiTags('Session')
export class OptionsController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  @Anybody()
  @ApiOperation({ operationId: 'getOptions', summary: 'What the page has to know before anybody is signed in' })
  @ApiOkResponse({ type: OptionsResponse })
  read(): OptionsResponse {
    const { publicUrl, console } = this.config;
    const { oidc, topupUrl } = console;
    return { oidc: oidc !== null, topup_url: topupUrl, api_url: publicUrl, version: PRODUCT_VERSION };
  }
}
