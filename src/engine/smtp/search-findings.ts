import type { Deadline } from '../deadline.js';
import { endsSearch, furthestFacts } from './furthest-facts.js';
import type { ProbeFacts, ProbeOutcome } from './prober.js';

/** How much earlier than its clock a deadline's timer may fire, milliseconds. */
const CLOCK_SLACK_MS = 50;

/** The findings about one recipient over the mail hosts asked so far. */
export class SearchFindings {
  private best: ProbeFacts | null = null;
  /** The failure on our side that kept us from asking a host. */
  private ours: string | null = null;
  /** True if our own limits were full, and nothing else on our side failed. */
  private busy = false;
  private freeInMs: number | undefined;

  /** True if no other mail host needs to be asked. */
  get settled(): boolean {
    return this.best !== null && endsSearch(this.best);
  }

  consider(facts: ProbeFacts): void {
    this.best = furthestFacts(this.best, facts);
  }

  /** Records that our politeness limits kept us from asking a host. @param freeInMs when they allow it, if known */
  noteFull(freeInMs?: number): void {
    this.freeInMs ??= freeInMs;
    if (this.ours === null) this.busy = true;
    this.ours ??= 'our own politeness limits were full';
  }

  /** Records that a fault on our side kept us from asking a host. */
  noteFault(why: string): void {
    this.busy = false;
    this.ours = why;
  }

  /** The outcome of the search. Our own fault counts unless a host let us in. */
  outcome(deadline: Deadline): ProbeOutcome {
    const { best, ours } = this;
    const cancelled = deadline.signal.aborted && deadline.remainingMs() > CLOCK_SLACK_MS;
    if (cancelled && !this.settled) return unavailable('the check was cancelled');
    const connected = best !== null && best.stage !== 'none' && best.stage !== 'connect';
    if (ours !== null && !connected) return this.busy ? this.whileBusy(ours) : unavailable(ours);
    if (best === null) return unavailable('the deadline passed before a mail host was asked');
    return { kind: 'facts', facts: best };
  }

  private whileBusy(why: string): ProbeOutcome {
    const { freeInMs } = this;
    return { ...unavailable(why), busy: true, ...(freeInMs !== undefined && { freeInMs }) };
  }
}

function unavailable(why: string): ProbeOutcome & { kind: 'unavailable' } {
  return { kind: 'unavailable', why };
}
