/** A one-shot timer as a promise: resolves some time after `startOnce`, never without it. */
export class OneShotTimer {
  private timer: NodeJS.Timeout | undefined;
  private expire: (nothing: null) => void = () => undefined;
  readonly expired = new Promise<null>((resolve) => {
    this.expire = resolve;
  });

  startOnce(milliseconds: number): void {
    this.timer ??= setTimeout(() => this.expire(null), milliseconds);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
