import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { creditsOf } from '../billing/funds.js';
import { FundsRepository } from '../billing/holds/funds.repository.js';
import { consoleCallerOf } from './session/console-caller.js';

/**
 * Adds to the JSON of a metered call what it took and what is left: `charged` and `balance`. Stands on the controller, around
 * `@Metered()`, since nobody knows it before the charge.
 */
@Injectable()
export class ShowCharge implements NestInterceptor<unknown, unknown> {
  constructor(private readonly funds: FundsRepository) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next
      .handle()
      .pipe(
        mergeMap(async (sent) =>
          request.routeOptions.config.billing === 'verify' ? this.add(sent as string, request) : sent,
        ),
      );
  }

  /** @param json an object */
  private async add(json: string, request: FastifyRequest): Promise<string> {
    // A repeat of an Idempotency-Key has no hold: it took nothing.
    const { payment = null, fundsAfterCharge = null } = request.context.creditHold ?? {};
    const charged = {
      credits: payment === null ? 0 : payment.purchased + payment.gifted,
      free_verifies: payment?.freeVerifies ?? 0,
    };
    const { id } = consoleCallerOf(request).account;
    const funds = fundsAfterCharge ?? (await this.funds.read([id])).get(id)!;
    return `${json.slice(0, -1)},${JSON.stringify({ charged, balance: creditsOf(funds) }).slice(1)}`;
  }
}
