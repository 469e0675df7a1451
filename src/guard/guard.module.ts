import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { DailyEvents } from './events/daily-events.js';
import { GuardEventsRepository } from './events/guard-events.repository.js';
import { GuardEventsService } from './events/guard-events.service.js';
import { GuardController } from './guard.controller.js';
import { PropertiesRepository } from './properties/properties.repository.js';
import { PropertyEntity } from './properties/property.entity.js';

/** `POST /v1/guard/events`. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([PropertyEntity])],
  controllers: [GuardController],
  providers: [GuardEventsRepository, PropertiesRepository, DailyEvents, GuardEventsService],
})
export class GuardModule {}
