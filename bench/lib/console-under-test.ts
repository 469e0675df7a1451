import { apiUnderTest } from './api-under-test.js';
import { ended, ready, spawnNode } from './built-process.js';
import { freePort } from './free-port.js';

/** The built console, beside the measured API and worker, on their database. */
export interface ConsoleUnderTest {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startConsole(): Promise<ConsoleUnderTest> {
  const { environment } = apiUnderTest();
  const port = await freePort();
  const env = { ...process.env, ...environment, CONSOLE_PORT: String(port), CONSOLE_METRICS_PORT: '0' };
  const child = spawnNode(['dist/console.js'], env);
  await ready(child, port);
  return { url: `http://127.0.0.1:${port}`, stop: () => ended(child) };
}
