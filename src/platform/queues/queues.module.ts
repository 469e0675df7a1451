import { Global, Module } from '@nestjs/common';
import { QueueConnection } from './queue-connection.js';

/** The one `QueueConnection` of a process, injectable everywhere. */
@Global()
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueuesModule {}
