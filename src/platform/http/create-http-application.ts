import type { Abstract, DynamicModule } from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AppConfig } from '../config/app-config.js';
import { AppError } from '../errors/app-error.js';
import { ProcessState } from '../process/process-state.js';
import type { Log } from '../logging/log.js';
import { NestLog } from '../logging/nest-log.js';
import { Metrics } from '../metrics/metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { tracing } from '../tracing/tracing.js';
import { declareInputFields } from './input-fields.js';
import { BodiesInFlight } from './body/bodies-in-flight.js';
import { Connections } from './connections/connections.js';
import { limitsOfProcess } from './connections/files-limit.js';
import type { ConnectionLimits } from './connections/limits.js';
import { createFastifyAdapter } from './fastify-adapter.js';
import { HttpModule } from './http.module.js';
import { installHooks } from './install-hooks.js';
import { LateHeaders } from './late-headers.js';
import { showLoad } from './load/load-metrics.js';
import { LATENESS, Overload } from './load/overload.js';
import { RequestGate } from './request-gate.js';
import { RequestPipeline } from './request-pipeline.js';
import { RouteTable } from './route-table.js';

/**
 * Builds an HTTP process from its root module, ready for `init()` or `listen()`. The module must import `HealthModule`,
 * and may provide `BodiesInFlight`, `LateHeaders`, `Metrics` and `RequestMetrics`.
 * @param gate `module`: the module provides the `RequestGate`; `closed`: only public routes are served
 */
export async function createHttpApplication(
  module: DynamicModule,
  { http }: Pick<AppConfig, 'http'>,
  log: Log,
  gate: 'module' | 'closed',
  limits = limitsOfProcess(log),
): Promise<NestFastifyApplication> {
  const overload = gate === 'module' ? overloadOf(log, limits) : null;
  const connections = new Connections(http.trustedProxies, limits);
  const adapter = createFastifyAdapter(http.trustedProxies, connections, overload, (request, reply) => {
    void pipeline.refuseUnroutable(request, reply).then(() => requests?.ended(request, reply));
  });
  const root: DynamicModule = { module: HttpModule, imports: [module] };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    logger: new NestLog(log),
    // By default Nest aborts the process, with a core dump, when a provider cannot be built.
    abortOnError: false,
  });
  const routes = new RouteTable();
  const keeper = gate === 'module' ? app.get(RequestGate) : new ClosedGate();
  const pipeline = new RequestPipeline(
    log,
    routes,
    app.get(ProcessState),
    keeper,
    connections,
    broughtBy(app, LateHeaders),
    overload?.ofAccounts ?? null,
  );
  const requests = broughtBy(app, RequestMetrics);
  const bodies = broughtBy(app, BodiesInFlight) ?? new BodiesInFlight();
  const metrics = broughtBy(app, Metrics);
  if (overload !== null && metrics !== null) showLoad(metrics.registry, overload, bodies);
  tracing()?.serve(adapter.getInstance());
  requests?.serve(adapter.getInstance());
  installHooks(adapter.getInstance(), pipeline, routes, bodies);
  adapter.getInstance().addHook('preClose', (done) => {
    connections.stop();
    done();
  });
  declareInputFields(app);
  return app;
}

/** Refuses requests under overload. A process with public routes only needs no such limit. */
function overloadOf(log: Log, { requests }: ConnectionLimits): Overload {
  const tell = (isOverloaded: boolean): void => {
    if (isOverloaded) log.warn('too much to do: requests are refused');
    else log.info('requests are let in again');
  };
  return new Overload(tell, { ...LATENESS, maxRequests: requests });
}

/** Searches the module: the application logs an error before it reports a missing provider. */
function broughtBy<T>(app: NestFastifyApplication, type: Abstract<T>): T | null {
  const modules = app.get(ModuleRef);
  try {
    return modules.get<T>(type, { strict: false });
  } catch {
    return null;
  }
}

/** For processes without keys: serves only public routes, so a route added there by mistake is not open. */
class ClosedGate extends RequestGate {
  override async admit(): Promise<void> {
    throw new AppError('unauthorized', 'This process serves no requests with keys.');
  }
}
