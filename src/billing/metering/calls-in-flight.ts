import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/**
 * Counts metered calls, for shutdown to wait for: the HTTP server does not wait for calls whose client has
 * disconnected.
 */
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
