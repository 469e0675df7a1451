import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { stopwatch } from './waited-for-processor.js';

/** A probe has to be answered within this. */
const WITHIN_MS = 1000;
const GIVEN_UP_MS = 30_000;

/** What a kubelet would know of a process. */
export interface Liveness {
  readonly asked: number;
  readonly failed: number;
  /** Failures in a row, at most: a kubelet restarts a process for `failureThreshold` of them. */
  readonly failedInARow: number;
  readonly slowestMs: number;
}

/** As `failureThreshold` in docker/k8s: on a machine that others use too, a single late answer is not the service's doing. */
export const FAILURE_THRESHOLD = 3;

/**
 * Asks a process whether it is live as a kubelet does, on a connection of its own each time, until `stop`. More than a second without a 200
 * is a failure; what the process and this one spent waiting for a processor is not counted.
 * @param url where `/health/live` is
 */
export function watchLiveness(url: string, pid: number, everyMs = 500): { stop(): Promise<Liveness> } {
  const seen = { asked: 0, failed: 0, failedInARow: 0, slowestMs: 0 };
  const watch = { over: false };
  const watched = (async () => {
    for (let inARow = 0; !watch.over; await delay(everyMs)) {
      const elapsed = stopwatch(pid, process.pid);
      const isLive = await asksOnce(`${url}/health/live`);
      const tookMs = elapsed();
      seen.asked += 1;
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(tookMs));
      const failed = !isLive || tookMs > WITHIN_MS;
      inARow = failed ? inARow + 1 : 0;
      seen.failed += failed ? 1 : 0;
      seen.failedInARow = Math.max(seen.failedInARow, inARow);
    }
    return seen;
  })();
  return {
    stop() {
      watch.over = true;
      return watched;
    },
  };
}

function asksOnce(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get(url, { agent: false, signal: AbortSignal.timeout(GIVEN_UP_MS) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asking.once('error', () => resolve(false));
  });
}
