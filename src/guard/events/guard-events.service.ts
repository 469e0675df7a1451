import { Injectable } from '@nestjs/common';
import { ownerOf, type Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { PropertiesRepository } from '../properties/properties.repository.js';
import { DailyEvents } from './daily-events.js';
import { GuardEventsRepository } from './guard-events.repository.js';
import type { GuardEventsResponse } from './guard-events.response.js';
import { readEvents } from './read-events.js';

@Injectable()
export class GuardEventsService {
  constructor(
    private readonly events: GuardEventsRepository,
    private readonly properties: PropertiesRepository,
    private readonly daily: DailyEvents,
  ) {}

  /**
   * Stores the well-formed events of a report and drops the others (decisions 9.2).
   * @throws AppError `validation_failed` with every fault if no event is well-formed; `quota_exceeded`
   */
  async record(caller: Caller, sent: readonly unknown[]): Promise<GuardEventsResponse> {
    const { accepted, rejected, faults } = readEvents(sent);
    if (accepted.length === 0) throw new AppError('validation_failed', faults ?? 'events must not be empty');
    await this.daily.count(caller, accepted.length);
    const owner = ownerOf(caller);
    const keys = new Set(accepted.flatMap(({ property_key }) => property_key ?? []));
    const properties = await this.properties.find(owner.accountId, [...keys]);
    const attributed = accepted.map((event) => ({
      event,
      propertyId: (event.property_key !== null && properties.get(event.property_key)) || null,
    }));
    await this.events.insert(owner, attributed);
    return { accepted: accepted.length, rejected };
  }
}
