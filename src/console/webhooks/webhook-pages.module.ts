import { Module } from '@nestjs/common';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { DailyTests } from './daily-tests.js';
import { WebhookPagesController } from './webhook-pages.controller.js';
import { WebhookPagesService } from './webhook-pages.service.js';

/** The page of webhooks. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [WebhooksModule],
  controllers: [WebhookPagesController],
  providers: [DailyTests, WebhookPagesService],
})
export class WebhookPagesModule {}
