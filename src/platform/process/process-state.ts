import { Injectable } from '@nestjs/common';

/** Whether this process is on its way out. Said once, by the signal handler; read by health and by the HTTP layer. */
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
