import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { PropertiesRepository } from '../properties/properties.repository.js';
import type { DailyEvents } from './daily-events.js';
import type { EventOwner, GuardEventsRepository } from './guard-events.repository.js';
import type { GuardEventsResponse } from './guard-events.response.js';
import { readEvents } from './read-events.js';

export class GuardEventsService {
  constructor(
    private readonly events: Pick<GuardEventsRepository, 'insert'>,
    private readonly properties: Pick<PropertiesRepository, 'find'>,
    private readonly daily: Pick<DailyEvents, 'count'>,
  ) {}

  /**
   * Stores what is well-formed of a report, and drops the rest (decisions 9.2).
   * @throws AppError `validation_failed` when nothing is, naming every fault; `quota_exceeded`
   */
  async record(caller: Caller, sent: readonly unknown[]): Promise<GuardEventsResponse> {
    const { accepted, rejected, faults } = readEvents(sent);
    if (accepted.length === 0) throw new AppError('validation_failed', faults ?? 'events must not be empty');
    await this.daily.count(caller, accepted.length);
    const owner: EventOwner = { accountId: caller.accountId, sandbox: caller.mode === 'test' };
    const keys = new Set(accepted.flatMap(({ propertyKey }) => propertyKey ?? []));
    const properties = await this.properties.find(owner.accountId, [...keys]);
    const attributed = accepted.map((event) => ({
      event,
      propertyId: (event.propertyKey !== null && properties.get(event.propertyKey)) || null,
    }));
    await this.events.insert(owner, attributed);
    return { accepted: accepted.length, rejected };
  }
}
