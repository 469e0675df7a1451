import type { CallOptions, Connection } from './connection.js';
import type { GuardEvent, GuardEventsResponse } from './types.js';

/** What guards in sign-up forms report. */
export class Guard {
  constructor(private readonly connection: Connection) {}

  /**
   * Records what guards decided, 1 to 100 events. The service stores a repeated call again, so a call whose answer was lost is
   * not repeated: it throws `ConnectionError`.
   */
  async report(events: readonly GuardEvent[], options: CallOptions = {}): Promise<GuardEventsResponse> {
    const call = { method: 'POST', path: '/v1/guard/events', json: { events }, repeatable: 'if-refused' } as const;
    return (await this.connection.send<GuardEventsResponse>(call, options)).body;
  }
}
