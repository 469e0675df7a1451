import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksModule } from './webhooks.module.js';

/** `/v1/webhooks`. Needs `DatabaseModule`. */
@Module({ imports: [AuthModule, WebhooksModule], controllers: [WebhooksController] })
export class WebhooksApiModule {}
