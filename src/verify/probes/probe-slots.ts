import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { Semaphore } from '../../platform/scheduling/semaphore.js';
import { FairSemaphore } from './fair-semaphore.js';

interface SlotStages {
  readonly asking: Semaphore;
  readonly ready: Semaphore;
  readonly slow: FairSemaphore;
}

/**
 * Most probes that prepare at once, besides those that ask. Preparing takes a tenth of the time of asking a near mail host.
 */
const MOST_READY = 4;

/**
 * Semaphores for the stages of a process's probes. Few probes prepare at a time: they read their row and lead the
 * single-flight of their address, so they do it shortly before they ask. A probe that asks for long moves to the slow
 * stage and frees its permit. Storing the outcome needs no permit.
 */
@Injectable()
export class ProbeSlots implements OnModuleDestroy {
  private readonly stages: SlotStages;

  /** Probes of slow hosts come in addition, as many again. */
  constructor(
    @Inject(AppConfig) { worker: { concurrency } }: { readonly worker: Pick<AppConfig['worker'], 'concurrency'> },
  ) {
    this.stages = {
      asking: new Semaphore(concurrency),
      ready: new Semaphore(Math.min(concurrency, MOST_READY)),
      slow: new FairSemaphore(concurrency),
    };
  }

  /** A slot for one attempt, before its first stage. */
  open(): ProbeSlot {
    return new ProbeSlot(this.stages);
  }

  /** Lets no further probe prepare or ask. Probes that already ask go on. */
  onModuleDestroy(): void {
    this.stages.ready.close();
    this.stages.asking.close();
  }
}

/** The stage that one attempt has reached, and its permit there. */
export class ProbeSlot {
  private at: keyof SlotStages | null = null;
  private releasePermit: () => void = () => undefined;

  constructor(private readonly stages: SlotStages) {}

  /** Waits until the attempt may prepare. @returns false when the process stops */
  async prepare(): Promise<boolean> {
    if (this.at === null) return this.advance('ready');
    return this.asks || !this.stages.ready.isClosed;
  }

  /**
   * Waits until the attempt may ask.
   * @param maxWaitMs milliseconds; without it the attempt waits as long as it takes
   * @returns false when no permit came in time, or the process stops
   */
  async ask(maxWaitMs?: number): Promise<boolean> {
    return this.asks || this.advance('asking', maxWaitMs);
  }

  /**
   * Moves the attempt to the slow stage, where it asks without holding up fast ones.
   * @param onRevoked called when another account needs the permit: the attempt must stop asking
   * @returns false when the account gets no permit, or the process stops first
   */
  moveToSlow(account: string, onRevoked: () => void): boolean {
    if (this.at === 'slow') return true;
    if (this.at !== 'asking' && this.stages.asking.isClosed) return false;
    const releasePermit = this.stages.slow.acquire(account, onRevoked);
    if (releasePermit === null) return false;
    this.move('slow', releasePermit);
    return true;
  }

  /** Releases the permit. The attempt may begin again with the first stage. */
  release(): void {
    this.move(null, () => undefined);
  }

  private get asks(): boolean {
    return this.at === 'asking' || this.at === 'slow';
  }

  private async advance(to: 'ready' | 'asking', maxWaitMs?: number): Promise<boolean> {
    const semaphore = this.stages[to];
    if (!(await semaphore.acquire(maxWaitMs))) return false;
    this.move(to, () => semaphore.release());
    return true;
  }

  private move(to: ProbeSlot['at'], releasePermit: () => void): void {
    this.releasePermit();
    this.at = to;
    this.releasePermit = releasePermit;
  }
}
