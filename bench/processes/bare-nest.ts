import 'reflect-metadata';
import { Controller, Get, Inject, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Queue } from 'bullmq';
import { IsString } from 'class-validator';
import { Redis } from 'ioredis';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { z } from 'zod';

/** As many as in the product. */
const MODULES = 40;
const PROVIDERS_OF_EACH = 3;
const CONTROLLERS = 8;
const ENTITIES = 20;

/**
 * A Nest application with as many modules, providers, controllers and entities as the product, on the same libraries,
 * that do nothing: it connects to MySQL and Redis and answers `GET /health/ready`. Configured by PORT, DATABASE_URL
 * and REDIS_URL.
 */
async function main(): Promise<void> {
  const entities = Array.from({ length: ENTITIES }, (_, nth) => entityOf(nth));
  const app = await NestFactory.create<NestFastifyApplication>(
    {
      module: class Root {},
      imports: [
        TypeOrmModule.forRoot({ type: 'mysql', url: process.env['DATABASE_URL'] ?? '', entities }),
        ...Array.from({ length: MODULES }, (_, nth) => moduleOf(nth)),
      ],
      controllers: [HealthController],
    },
    new FastifyAdapter(),
    { logger: false },
  );
  z.object({ port: z.string() }).parse({ port: process.env['PORT'] });
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  const queue = new Queue('bench', { connection: redis });
  await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
  const end = async (): Promise<void> => {
    await app.close();
    await queue.close();
    redis.disconnect();
  };
  process.once('SIGTERM', () => void end());
}

/** Described like the answers of the product. */
class Ready {
  @IsString()
  @ApiProperty()
  status = 'ready';
}

@Controller('health')
class HealthController {
  @Get('ready')
  ready(): Ready {
    return new Ready();
  }
}

function moduleOf(nth: number): DynamicModule {
  const tokens = Array.from({ length: PROVIDERS_OF_EACH }, (_, which) => `provider ${nth}.${which}`);
  @Controller(`part-${nth}`)
  class PartController {
    constructor(@Inject(tokens[0]) readonly first: object) {}

    @Get()
    answer(): object {
      return this.first;
    }
  }
  @Module({})
  class PartModule {}
  return {
    module: PartModule,
    providers: tokens.map((provide, which) => ({
      provide,
      inject: which === 0 ? [] : [tokens[which - 1]!],
      useFactory: () => ({ nth, which }),
    })),
    controllers: nth < CONTROLLERS ? [PartController] : [],
    exports: tokens,
  };
}

function entityOf(nth: number): new () => object {
  @Entity(`bench_${nth}`)
  class Thing {
    @PrimaryColumn({ type: 'binary', length: 16 })
    id!: Buffer;

    @Column({ type: 'varchar', length: 100 })
    name!: string;

    @Column({ type: 'datetime', precision: 3 })
    createdAt!: Date;
  }
  return Thing;
}

void main();
