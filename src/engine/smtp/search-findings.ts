import type { Deadline } from '../deadline.js';
import { endsSearch, furthestFacts } from './furthest-facts.js';
import type { ProbeFacts, ProbeOutcome } from './prober.js';

/** A deadline's timer may fire this long before its clock says so. */
const CLOCK_SLACK_MS = 50;

/** What the search for one recipient's answer has come to, over the mail hosts it went to so far. */
export class SearchFindings {
  private best: ProbeFacts | null = null;
  /** What kept us, on our own side, from asking a host. */
  private ours: string | null = null;
  /** Our own limits were full, and nothing else of ours was in the way. */
  private busy = false;

  /** True when no other mail host needs to be asked. */
  get settled(): boolean {
    return this.best !== null && endsSearch(this.best);
  }

  consider(facts: ProbeFacts): void {
    this.best = furthestFacts(this.best, facts);
  }

  /** A host was not asked for our own politeness limits. */
  noteFull(): void {
    if (this.ours === null) this.busy = true;
    this.ours ??= 'our own politeness limits were full';
  }

  /** A host was not asked for a fault on our side. */
  noteFault(why: string): void {
    this.busy = false;
    this.ours = why;
  }

  /** What the search ends with. A fault of our own counts unless a host let us in. */
  outcome(deadline: Deadline): ProbeOutcome {
    const { best, ours } = this;
    const cancelled = deadline.signal.aborted && deadline.remainingMs() > CLOCK_SLACK_MS;
    if (cancelled && !this.settled) return unavailable('the check was cancelled');
    const connected = best !== null && best.stage !== 'none' && best.stage !== 'connect';
    if (ours !== null && !connected) return this.busy ? { ...unavailable(ours), busy: true } : unavailable(ours);
    if (best === null) return unavailable('the deadline passed before a mail host was asked');
    return { kind: 'facts', facts: best };
  }
}

function unavailable(why: string): ProbeOutcome & { kind: 'unavailable' } {
  return { kind: 'unavailable', why };
}
