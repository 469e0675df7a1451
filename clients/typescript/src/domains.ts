import type { CallOptions, Connection } from './connection.js';
import type { Domain, LookUpDomainRequest } from './types.js';

/** What domains publish, and what they are worth. */
export class Domains {
  constructor(private readonly connection: Connection) {}

  /** Free. A domain that is not known is crawled while you wait; parts that could not be found out are null. */
  async lookUp(request: LookUpDomainRequest, options: CallOptions = {}): Promise<Domain> {
    const call = { method: 'POST', path: '/v1/domains/lookup', json: request, repeatable: 'yes' } as const;
    return (await this.connection.send<Domain>(call, options)).body;
  }
}
