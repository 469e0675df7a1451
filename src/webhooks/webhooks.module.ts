import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointEntity } from './endpoints/endpoint.entity.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { OutboxModule } from './outbox/outbox.module.js';

/** The endpoints and deliveries of accounts, for any process. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [OutboxModule, SealingModule, TypeOrmModule.forFeature([EndpointEntity, AuditEntryEntity])],
  providers: [EndpointsRepository, DeliveriesRepository, EndpointsService, DeliveriesService],
  exports: [EndpointsService, DeliveriesService],
})
export class WebhooksModule {}
