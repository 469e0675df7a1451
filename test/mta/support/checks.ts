import type { Mode } from '../../../src/engine/verdict/result.js';
import { loadEngineConfig } from '../../../src/platform/config/load-config.js';
import { createEngine, type RunningEngine } from '../../../src/verify/engine/create-engine.js';
import { checkAddress, misses } from '../../engine/engine-under-test.js';
import type { RealServers } from './real-servers.js';

/** Fields of a result by their names in the contract; a list of alternatives holds when one of them does. */
export type Expected = Readonly<Record<string, unknown>>;

/** The engine as a process has it, with the real servers for its internet. Close it in the end. */
export class Checks {
  private readonly running: RunningEngine;

  constructor(servers: RealServers, environment: Readonly<Record<string, string>> = {}) {
    this.running = createEngine(loadEngineConfig({ ...servers.environment, ...environment }));
  }

  /** What of a fresh check is not as expected, followed by the DNS answers and the dialogue; empty when all of it is. */
  async misses(email: string, mode: Mode, expected: Expected): Promise<string[]> {
    const { result, story } = await checkAddress(this.running, email, mode);
    const missed = misses(result, expected);
    return missed.length === 0 ? [] : [...missed, ...story];
  }

  close(): void {
    this.running.close();
  }
}
