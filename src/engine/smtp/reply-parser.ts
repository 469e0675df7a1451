import { decodeLines } from './charset/decode-lines.js';
import type { Reply } from './reply.js';
import { parseReplyLine } from './reply-line.js';

/**
 * Limits of one reply. RFC 5321 4.5.3.1.5 asks for 512 octets a line; real servers send up to about 1 kB. A longer reply
 * does not come from a mail server, and ends the session (decisions 6.3).
 */
export const REPLY_LIMITS = { lineBytes: 2048, replyBytes: 64 * 1024, lines: 256 } as const;

/** Why bytes are not an SMTP reply. */
export type ReplyFault = 'line_too_long' | 'reply_too_long' | 'not_smtp';

export type ParsedReply =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'fault'; readonly why: ReplyFault };

const LF = 0x0a;
const CR = 0x0d;

/**
 * Parses replies from a byte stream that may be cut anywhere. CRLF and bare LF both end a line. Inside a multi-line
 * reply a line without a code is text: some hosts break long texts that way. Holds at most one unfinished line and one
 * unfinished reply. Ignores everything after a fault.
 */
export class ReplyParser {
  private head: Buffer | null = null;
  private texts: string[] = [];
  private bytes = 0;
  private code: number | null = null;
  private enhanced: string | null = null;
  private mixed = false;
  private broken = false;

  /** `onReply` gets each reply, or one fault; `onLine` gets each line, decoded, for the trace. */
  constructor(
    private readonly onReply: (parsed: ParsedReply) => void,
    private readonly onLine: ((line: string) => void) | null = null,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    while (!this.broken) {
      const end = chunk.indexOf(LF, start);
      if (end === -1) break;
      this.takeLine(this.withHead(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (!this.broken && start < chunk.length) this.keepHead(chunk.subarray(start));
  }

  private withHead(tail: Buffer): Buffer {
    const head = this.head;
    if (head === null) return tail;
    this.head = null;
    return Buffer.concat([head, tail]);
  }

  private keepHead(rest: Buffer): void {
    const head = this.withHead(rest);
    if (head.length > REPLY_LIMITS.lineBytes) this.fail('line_too_long');
    // A copy: the chunk is a view of a much bigger buffer.
    else this.head = Buffer.from(head);
  }

  private takeLine(raw: Buffer): void {
    if (raw.length > REPLY_LIMITS.lineBytes) return this.fail('line_too_long');
    this.bytes += raw.length;
    if (this.bytes > REPLY_LIMITS.replyBytes || this.texts.length >= REPLY_LIMITS.lines)
      return this.fail('reply_too_long');
    // One character per byte until the reply is complete.
    const line = withoutCarriageReturns(raw).toString('latin1');
    this.onLine?.(decodeLines([line])[0] ?? '');
    const parsed = parseReplyLine(line);
    if (parsed === null) {
      if (this.code === null) return this.fail('not_smtp');
      this.texts.push(line);
      return;
    }
    if (this.code !== null && this.code !== parsed.code) this.mixed = true;
    this.code = parsed.code;
    this.enhanced ??= parsed.enhanced;
    this.texts.push(parsed.text);
    if (!parsed.more) this.finish(parsed.code);
  }

  private finish(code: number): void {
    const reply: Reply = { code, enhanced: this.enhanced, lines: decodeLines(this.texts), mixed: this.mixed };
    this.reset();
    this.onReply({ kind: 'reply', reply });
  }

  private fail(why: ReplyFault): void {
    this.reset();
    this.head = null;
    this.broken = true;
    this.onReply({ kind: 'fault', why });
  }

  private reset(): void {
    this.texts = [];
    this.bytes = 0;
    this.code = null;
    this.enhanced = null;
    this.mixed = false;
  }
}

function withoutCarriageReturns(raw: Buffer): Buffer {
  let end = raw.length;
  while (end > 0 && raw[end - 1] === CR) end -= 1;
  return raw.subarray(0, end);
}
