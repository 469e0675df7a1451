import { isAscii } from 'node:buffer';
import { Capture } from './capture.js';
import { IgnoredFields } from './ignored-fields.js';
import type { JsonSink } from './json-scanner.js';

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** List entries are built once this many bytes of them have come: a few milliseconds of work at most. */
const RUN_OCTETS = 32 * 1024;
/** A longer field name, as written, is never one of ours. */
const MAX_NAME_OCTETS = 512;

/**
 * Builds the wanted fields of a JSON body while its bytes are checked; other fields are never built. The result equals
 * that of `JSON.parse` without the other fields: the last of two fields with one name counts.
 */
export class KeptFields implements JsonSink {
  readonly ignored = new IgnoredFields();
  private chunk: Buffer = Buffer.alloc(0);
  private root: unknown = undefined;
  /** The body, if it is an object. */
  private fields: Record<string, unknown> | null = null;
  private field: string | null = null;
  /** Entries so far of the list being read, and their depth. */
  private list: unknown[] | null = null;
  private entryDepth = 0;
  private readonly name = new Capture();
  private readonly value = new Capture();

  /** @param wanted must not contain `__proto__` */
  constructor(private readonly wanted: readonly string[]) {}

  /** The body; read it after all chunks were scanned. */
  get body(): unknown {
    return this.root;
  }

  /** Call it before a chunk is scanned. */
  chunkBegins(chunk: Buffer): void {
    this.chunk = chunk;
  }

  /** Call it after a chunk was scanned. */
  chunkEnds(): void {
    this.name.chunkEnds(this.chunk, MAX_NAME_OCTETS + 1);
    this.value.chunkEnds(this.chunk);
  }

  nameBegins(at: number): void {
    this.name.begin(at);
  }

  nameEnds(end: number): void {
    const written = this.name.end(this.chunk, end);
    const name = written.length > MAX_NAME_OCTETS ? null : (parsed(written) as string);
    this.field = name !== null && this.wanted.includes(name) ? name : null;
    if (this.field === null) this.ignored.add(name ?? written.toString('utf8', 1, MAX_NAME_OCTETS));
  }

  valueBegins(depth: number, firstByte: number, at: number): void {
    if (this.list !== null) {
      if (depth === this.entryDepth && !this.value.isOpen) this.value.begin(at);
    } else if (depth === 0) {
      if (firstByte === OPEN_OBJECT) this.root = this.fields = {};
      else this.outerValue(depth, firstByte, at);
    } else if (depth === 1 && this.field !== null) {
      this.outerValue(depth, firstByte, at);
    }
  }

  valueEnds(depth: number, end: number): void {
    if (this.list !== null) {
      if (depth === this.entryDepth) this.entryEnds(end);
      else if (depth === this.entryDepth - 1) this.listEnds(depth, end);
    } else if (this.value.isOpen && depth === (this.fields === null ? 0 : 1)) {
      this.keep(depth, parsed(this.value.end(this.chunk, end)));
    }
  }

  /** The body itself, or a wanted field. */
  private outerValue(depth: number, firstByte: number, at: number): void {
    if (firstByte === OPEN_ARRAY) {
      this.list = [];
      this.entryDepth = depth + 1;
    } else {
      this.value.begin(at);
    }
  }

  private entryEnds(end: number): void {
    if (this.value.length(end) >= RUN_OCTETS) this.buildEntries(end);
  }

  private listEnds(depth: number, end: number): void {
    // The last byte is the bracket.
    if (this.value.isOpen) this.buildEntries(end - 1);
    const { list } = this;
    this.list = null;
    this.keep(depth, list);
  }

  private buildEntries(end: number): void {
    const entries = parsed(this.value.end(this.chunk, end), '[', ']') as unknown[];
    for (const entry of entries) this.list!.push(entry);
  }

  private keep(depth: number, value: unknown): void {
    if (depth === 0) this.root = value;
    else this.fields![this.field!] = value;
  }
}

/** Parses bytes already checked to be JSON. ASCII is read without a copy. */
function parsed(json: Buffer, before = '', after = ''): unknown {
  return JSON.parse(before + json.toString(isAscii(json) ? 'latin1' : 'utf8') + after);
}
