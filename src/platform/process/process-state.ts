import { Injectable } from '@nestjs/common';

/** Whether this process is stopping. The signal handler sets it once; health and the HTTP layer read it. */
@Injectable()
export class ProcessState {
  private leaving = false;

  get stopping(): boolean {
    return this.leaving;
  }

  beginStop(): void {
    this.leaving = true;
  }
}
