import { Module } from '@nestjs/common';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { DailyTests } from './daily-tests.js';
import { WebhookPagesController } from './webhook-pages.controller.js';

/** The page of webhooks. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [WebhooksModule],
  controllers: [WebhookPagesController],
  providers: [DailyTests],
})
export class WebhookPagesModule {}
