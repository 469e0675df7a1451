import type { OnModuleDestroy } from '@nestjs/common';
import { Semaphore } from '../../platform/scheduling/places.js';
import { FairSemaphore } from './slow-places.js';

export interface ProbeSlotsOptions {
  /** Probes that ask mail hosts at once. */
  readonly asking: number;
  /** Probes that get ready to ask at once, beside them. */
  readonly ready: number;
  /** Probes whose hosts keep them waiting, beside both. */
  readonly slow: number;
}

interface LinePlaces {
  readonly ready: Semaphore;
  readonly asking: Semaphore;
  readonly slow: FairSemaphore;
}

/**
 * The turns of a process on their way to the mail hosts. Few of them get ready at a time: they read their row and take the
 * flight of their address, which others may want, so nobody does that long before it can ask. Whoever asks for long makes way
 * for others, who may be answered at once. What is stored after a probe takes nobody's place.
 */
export class ProbeSlots implements OnModuleDestroy {
  private readonly places: LinePlaces;

  constructor({ asking, ready, slow }: ProbeSlotsOptions) {
    this.places = { ready: new Semaphore(ready), asking: new Semaphore(asking), slow: new FairSemaphore(slow) };
  }

  /** At the end of the line, for one turn. */
  place(): ProbeSlot {
    return new ProbeSlot(this.places);
  }

  /** The process stops: nobody gets ready or begins to ask any more. Those who ask go on. */
  onModuleDestroy(): void {
    this.places.ready.close();
    this.places.asking.close();
  }
}

/** How far one turn has come in the line. */
export class ProbeSlot {
  private at: keyof LinePlaces | null = null;
  private giveBack: () => void = () => undefined;

  constructor(private readonly places: LinePlaces) {}

  /** Waits until it may get ready. @returns false when the process stops */
  async getReady(): Promise<boolean> {
    if (this.at === null) return this.advance('ready');
    return this.asks || !this.places.ready.isClosed;
  }

  /**
   * Waits until it may ask, whoever is ready.
   * @param maxWaitMs as long as it takes when left out
   * @returns false when there was no place in time, or the process stops
   */
  async ask(maxWaitMs?: number): Promise<boolean> {
    return this.asks || this.advance('asking', maxWaitMs);
  }

  /**
   * Asks, or goes on asking, beside those who are answered soon.
   * @param giveWay called when another account needs the place: it is to ask no more
   * @returns false when there is no place for the account, or the process stops before it asks
   */
  makeWay(account: string, giveWay: () => void): boolean {
    if (this.at === 'slow') return true;
    if (this.at !== 'asking' && this.places.asking.isClosed) return false;
    const giveBack = this.places.slow.take(account, giveWay);
    if (giveBack === null) return false;
    this.move('slow', giveBack);
    return true;
  }

  /** Lets the next one have its place. It may come again, at the end of the line. */
  leave(): void {
    this.move(null, () => undefined);
  }

  private get asks(): boolean {
    return this.at === 'asking' || this.at === 'slow';
  }

  private async advance(to: 'ready' | 'asking', maxWaitMs?: number): Promise<boolean> {
    const places = this.places[to];
    if (!(await places.acquire(maxWaitMs))) return false;
    this.move(to, () => places.release());
    return true;
  }

  private move(to: ProbeSlot['at'], giveBack: () => void): void {
    this.giveBack();
    this.at = to;
    this.giveBack = giveBack;
  }
}
