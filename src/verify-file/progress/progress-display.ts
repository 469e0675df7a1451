import type { StatusOutput } from '../../platform/cli/command-context.js';
import { Pace, progressJson, progressLine, type Progress } from './progress.js';

const DRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 5000;
/** Back to the start of the line, which is cleared. */
const CLEAR = '\r\u001b[K';

/** Shows progress on stderr: a bar that is drawn anew on a terminal, a JSON line every few seconds otherwise. */
export class ProgressDisplay {
  private readonly pace = new Pace();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly output: StatusOutput,
    private readonly progress: () => Progress,
  ) {}

  start(): void {
    this.show();
    this.timer = setInterval(() => this.show(), this.output.columns === null ? LINE_EVERY_MS : DRAW_EVERY_MS);
  }

  /** A line of text among the progress. */
  say(text: string): void {
    if (this.output.columns === null) this.output.write(`${JSON.stringify({ note: text })}\n`);
    else this.output.write(`${CLEAR}${text}\n`);
  }

  stop(): void {
    clearInterval(this.timer);
    this.show();
    if (this.output.columns !== null) this.output.write('\n');
  }

  private show(): void {
    const now = this.progress();
    const perSecond = this.pace.note(now.done, performance.now());
    const { columns } = this.output;
    if (columns === null) this.output.write(`${progressJson(now, perSecond)}\n`);
    else this.output.write(CLEAR + progressLine(now, perSecond, columns));
  }
}
