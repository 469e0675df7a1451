import { Module } from '@nestjs/common';
import { QueueConnection } from './queue-connection.js';

/** The one `QueueConnection` of a process. */
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}
