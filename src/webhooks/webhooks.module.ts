import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { AppConfig } from '../platform/config/app-config.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { DeliveryEntity } from './delivery/delivery.entity.js';
import { EndpointEntity } from './endpoints/endpoint.entity.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { EndpointSecrets } from './signing/endpoint-secrets.js';

/** The endpoints and deliveries of accounts, for any process. Needs `DatabaseModule`. */
@Module({
  imports: [SealingModule, TypeOrmModule.forFeature([EndpointEntity, DeliveryEntity, AuditEntryEntity])],
  providers: [
    EndpointSecrets,
    EndpointsRepository,
    // Its rules come from the configuration.
    {
      provide: EndpointsService,
      inject: [EndpointsRepository, EndpointSecrets, AppConfig],
      useFactory: (endpoints: EndpointsRepository, secrets: EndpointSecrets, { smtp }: AppConfig) =>
        new EndpointsService(endpoints, secrets, smtp),
    },
  ],
  exports: [EndpointsService],
})
export class WebhooksModule {}
