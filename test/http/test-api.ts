import { Body, Controller, Get, HttpCode, Module, Param, Post, Req } from '@nestjs/common';
import { RouteConfig, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError } from '../../src/platform/errors/app-error.js';
import { ProcessState } from '../../src/platform/process/process-state.js';
import { BodiesInFlight } from '../../src/platform/http/body/bodies-in-flight.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/platform/http/connections/limits.js';
import { createHttpApplication } from '../../src/platform/http/create-http-application.js';
import { PublicRoute } from '../../src/platform/http/public-route.js';
import { RequestGate } from '../../src/platform/http/request-gate.js';
import { createLog } from '../../src/platform/logging/log.js';
import { MaxCharacters } from '../../src/platform/validation/max-characters.js';

export const KEY = 'mv_test_0123456789012345678901234567890123';

class ListRequest {
  @IsOptional()
  @IsArray()
  emails: readonly unknown[] = [];
}

class EchoRequest {
  @IsString()
  @MaxCharacters(1024)
  email!: string;

  @IsOptional()
  @IsIn(['quick', 'standard'])
  mode?: string;
}

/** Takes one key, with `X-Late` not before the client is gone, with `X-Spent` not at all for its rate, and leaves a header in the context, as authentication and the rate limit do. */
class OneKeyGate extends RequestGate {
  /** Requests it was asked about. */
  asked = 0;

  override async admit(request: FastifyRequest): Promise<void> {
    this.asked++;
    if (request.headers['x-api-key'] !== KEY) throw new AppError('unauthorized', 'No valid key.');
    request.context.responseHeaders.set('X-RateLimit-Limit', '60');
    if (request.headers['x-spent'] !== undefined) {
      throw new AppError('rate_limit_exceeded', 'Too many requests.', { retryAfterSeconds: 3 });
    }
    if (request.headers['x-late'] !== undefined) await once(request.raw.socket, 'close');
    request.context.accountId = String(request.headers['x-account'] ?? 'acme');
  }
}

@Controller()
class TestController {
  private slow: (() => void)[] = [];

  /** Answers when `release` is called. */
  @Get('v1/slow/:id')
  async wait(@Param('id') id: string): Promise<unknown> {
    await new Promise<void>((resolve) => this.slow.push(resolve));
    return { id };
  }

  waiting(): number {
    return this.slow.length;
  }

  release(): void {
    for (const go of this.slow.splice(0)) go();
  }

  @Post('v1/echo')
  @HttpCode(200)
  echo(@Body() body: EchoRequest): unknown {
    return body;
  }

  @Post('v1/large')
  @HttpCode(200)
  @RouteConfig({ bodyLimit: 1024 * 1024 })
  large(@Req() request: FastifyRequest, @Body() { emails }: ListRequest): unknown {
    return { entries: emails.length, first: emails[0], ignored: request.context.ignoredFields ?? [] };
  }

  @Get('v1/jobs/:id')
  job(@Param('id') id: string): unknown {
    return { id };
  }

  @Get('open')
  @PublicRoute()
  open(): unknown {
    return {};
  }

  @Post('v1/fail/:how')
  fail(@Param('how') how: keyof typeof FAILURES): never {
    throw FAILURES[how];
  }
}

const FAILURES = {
  unexpected: new Error('SELECT * FROM accounts WHERE email = ada@example.com'),
  text: 'thrown text',
  database: Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:3306'), { code: 'ECONNREFUSED', fatal: true }),
  redis: new Error('Command timed out'),
  credits: new AppError('insufficient_credits', 'Not enough credits.', { headers: { 'X-Credits-Required': '3' } }),
  verify: new AppError('verify_unavailable', 'Retry.', { retryAfterSeconds: 4.2 }),
};

@Module({ controllers: [TestController], providers: [ProcessState, { provide: RequestGate, useClass: OneKeyGate }] })
class TestModule {}

export interface TestApi {
  readonly app: NestFastifyApplication;
  readonly logLines: () => Record<string, unknown>[];
  readonly logText: () => string;
  readonly port: () => number;
  /** Requests that the gate was asked about. */
  readonly asked: () => number;
  /** Requests of the slow route that wait; they are answered with `release`. */
  readonly waiting: () => number;
  readonly release: () => void;
  readonly connections: () => Promise<number>;
}

/** The HTTP layer around a controller of its own, listening on a loopback port. */
export async function startTestApi({
  bodies = new BodiesInFlight(),
  limits = {},
  trustedProxies = [],
}: {
  readonly bodies?: BodiesInFlight;
  readonly limits?: Partial<ConnectionLimits>;
  readonly trustedProxies?: readonly string[];
} = {}): Promise<TestApi> {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const log = createLog('info', sink);
  const config = { http: { host: '127.0.0.1', port: 0, trustedProxies } };
  const app = await createHttpApplication(
    { module: TestModule, providers: [{ provide: BodiesInFlight, useValue: bodies }] },
    config,
    log,
    'module',
    { ...CONNECTION_LIMITS, ...limits },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const server: Server = app.getHttpServer();
  return {
    app,
    asked: () => app.get<OneKeyGate>(RequestGate).asked,
    waiting: () => app.get(TestController).waiting(),
    release: () => app.get(TestController).release(),
    connections: () => promisify(server.getConnections.bind(server))(),
    logText: () => text,
    logLines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    port: () => (server.address() as { port: number }).port,
  };
}
