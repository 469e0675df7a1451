import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/** Counts metered calls. A process that stops waits for them: the HTTP server does not wait for a call whose caller has hung up. */
@Injectable()
export class CallsInFlight implements BeforeApplicationShutdown {
  private calls = 0;
  private onIdle: (() => void) | null = null;

  begin(): void {
    this.calls += 1;
  }

  end(): void {
    this.calls -= 1;
    if (this.calls === 0) this.onIdle?.();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.calls > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
  }
}
