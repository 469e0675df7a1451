import { readConfig, type AppConfig } from './app-config.js';
import { readSecrets, type AppSecrets } from './app-secrets.js';
import { ConfigFault } from './config-fault.js';
import { loadTracing } from './load-tracing.js';
import { VariableReader, type Env, type Role } from './variable-reader.js';

/** Two objects: configuration may be logged, secrets go only to code that connects. */
export interface Settings {
  readonly config: AppConfig;
  readonly secrets: AppSecrets;
}

/** Settings of checks from the command line: no database, no Redis. */
export interface EngineSettings {
  readonly config: Pick<AppConfig, 'dns' | 'smtp' | 'verify' | 'probes'>;
  readonly secrets: Pick<AppSecrets, 'smtpEgress'>;
}

/**
 * Reads and checks a role's whole environment.
 * @throws ConfigFault with one line per fault.
 */
export function loadConfig(role: Role, env: Env = process.env): Settings {
  const { tracing, faults } = loadTracing(role, env);
  const { config, secrets } = load(new VariableReader(role, env), faults);
  return { config: { role, tracing, ...config }, secrets };
}

/**
 * Reads only the engine's variables.
 * @throws ConfigFault with one line per fault.
 */
export function loadEngineConfig(env: Env = process.env): EngineSettings {
  return load(new VariableReader('engine', env));
}

/** True when a database is configured for a command that needs none. */
export function namesDatabase({ DATABASE_URL = '' }: Env = process.env): boolean {
  return DATABASE_URL !== '';
}

/** Every variable the product reads, except tracing's. */
export function listVariables(): VariableReader['variables'] {
  const read = new VariableReader('engine', {});
  load(read);
  return read.variables;
}

/** @param tracingFaults those of the variables of tracing */
function load(read: VariableReader, tracingFaults: readonly (readonly [string, string])[] = []) {
  const settings = { secrets: readSecrets(read), config: readConfig(read) };
  const faults = [...read.faults, ...tracingFaults];
  if (faults.length > 0) throw new ConfigFault(faults.map(([name, rule]) => `${name}: ${rule}`));
  return settings;
}
