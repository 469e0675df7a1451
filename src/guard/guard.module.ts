import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { GuardEventEntity } from './events/guard-event.entity.js';
import { GuardEventsRepository } from './events/guard-events.repository.js';
import { GuardEventsService } from './events/guard-events.service.js';
import { GuardController } from './guard.controller.js';
import { PropertiesRepository } from './properties/properties.repository.js';
import { PropertyEntity } from './properties/property.entity.js';

/** `POST /v1/guard/events`. Needs `DatabaseModule`. */
@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([GuardEventEntity, PropertyEntity])],
  controllers: [GuardController],
  providers: [
    {
      provide: GuardEventsService,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) =>
        new GuardEventsService(new GuardEventsRepository(dataSource), new PropertiesRepository(dataSource)),
    },
  ],
})
export class GuardModule {}
