import { formatIpv6 } from './ip-address.js';
import { typeName } from './record-types.js';
import type { RecordData } from './resolver.js';

/** The message ends early, contradicts its own lengths, or its pointers do not lead back. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';

  /** @param cutOff the message is valid as far as it goes, but its end is missing */
  constructor(
    message: string,
    readonly cutOff = false,
  ) {
    super(message);
  }
}

/** Frame of a resource record (RFC 1035 3.2.1); `start` and `end` bound its data in the message. */
export interface RecordFrame {
  readonly owner: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Most compression pointers per name. Real names need few; unbounded, a 64 kB message of pointers to pointers costs
 * tens of millions of steps.
 */
const MAX_POINTERS = 64;
const MAX_NAME_OCTETS = 255;
/** Octets of an option's code and length. */
const OPTION_HEAD = 4;
const EXTENDED_ERROR = 15;

/**
 * Reads a message from front to back. Strict: a record's data must fill its stated length exactly, and nothing is read
 * beyond the message. Throws `MalformedMessage` for every fault.
 */
export class MessageReader {
  public offset = 0;

  constructor(private readonly bytes: Buffer) {}

  uint8(): number {
    this.need(1);
    const value = this.bytes.readUInt8(this.offset);
    this.offset += 1;
    return value;
  }

  uint16(): number {
    this.need(2);
    const value = this.bytes.readUInt16BE(this.offset);
    this.offset += 2;
    return value;
  }

  uint32(): number {
    this.need(4);
    const value = this.bytes.readUInt32BE(this.offset);
    this.offset += 4;
    return value;
  }

  /** Returns a copy, so that a cached value does not keep the whole message alive. */
  take(length: number): Buffer {
    this.need(length);
    const value = Buffer.from(this.bytes.subarray(this.offset, this.offset + length));
    this.offset += length;
    return value;
  }

  /**
   * A domain name in presentation form, lowercase, `.` for the root. Escapes dots and backslashes inside labels and
   * unprintable octets (RFC 1035 5.1), so that different names never look equal.
   */
  domainName(): string {
    const { bytes } = this;
    let written = 0;
    let octets = 1;
    let pointers = 0;
    let cursor = this.offset;
    let segment = cursor;
    for (;;) {
      if (cursor >= bytes.length) throw new MalformedMessage('name beyond the message', true);
      const length = bytes.readUInt8(cursor);
      if (length === 0) break;
      if (length < 0x40) {
        octets += length + 1;
        if (octets > MAX_NAME_OCTETS) throw new MalformedMessage('name too long');
        if (cursor + 1 + length > bytes.length) throw new MalformedMessage('label beyond the message', true);
        if (written > 0) written = writeOctet(written, DOT);
        const end = cursor + 1 + length;
        for (cursor += 1; cursor < end; cursor += 1) written = writeLabelOctet(written, bytes[cursor]!);
      } else if (length >= 0xc0) {
        if (cursor + 2 > bytes.length) throw new MalformedMessage('pointer beyond the message', true);
        const target = bytes.readUInt16BE(cursor) & 0x3fff;
        pointers += 1;
        // RFC 1035 4.1.4: a pointer leads to a prior occurrence. Strictly backwards, so it cannot loop.
        if (target >= segment || pointers > MAX_POINTERS) throw new MalformedMessage('pointer does not lead back');
        if (pointers === 1) this.offset = cursor + 2;
        cursor = target;
        segment = target;
      } else {
        throw new MalformedMessage('label type unknown');
      }
    }
    if (pointers === 0) this.offset = cursor + 1;
    return written === 0 ? '.' : nameText.toString('latin1', 0, written);
  }

  /** Reads the frame of the next record and skips its data. */
  recordFrame(): RecordFrame {
    const owner = this.domainName();
    const type = this.uint16();
    const klass = this.uint16();
    const ttl = this.uint32();
    const length = this.uint16();
    this.need(length);
    const start = this.offset;
    this.offset += length;
    return { owner, type, class: klass, ttl, start, end: this.offset };
  }

  /** Data of a record, or null for an unsupported type. Does not move the reader. */
  recordData(frame: RecordFrame): RecordData | null {
    const back = this.offset;
    this.offset = frame.start;
    const data = this.dataOf(frame);
    if (data !== null && this.offset !== frame.end) throw new MalformedMessage('record data of another length');
    this.offset = back;
    return data;
  }

  /** Info codes of the Extended DNS Errors in an OPT record (RFC 6891 6.1.2, RFC 8914 2). */
  extendedErrors({ start, end }: RecordFrame): number[] {
    const codes: number[] = [];
    for (let at = start; at + OPTION_HEAD <= end;) {
      const length = this.bytes.readUInt16BE(at + 2);
      const next = at + OPTION_HEAD + length;
      if (this.bytes.readUInt16BE(at) === EXTENDED_ERROR && length >= 2 && next <= end) {
        codes.push(this.bytes.readUInt16BE(at + OPTION_HEAD));
      }
      at = next;
    }
    return codes;
  }

  private dataOf(frame: RecordFrame): RecordData | null {
    const type = typeName(frame.type);
    switch (type) {
      case 'A':
        return { type, address: `${this.uint8()}.${this.uint8()}.${this.uint8()}.${this.uint8()}` };
      case 'AAAA':
        return { type, address: formatIpv6(Array.from({ length: 8 }, () => this.uint16())) };
      case 'MX':
        return { type, preference: this.uint16(), exchange: this.domainName() };
      case 'TXT':
        return { type, text: this.characterStrings(frame.end) };
      case 'NS':
      case 'CNAME':
      case 'PTR':
        return { type, name: this.domainName() };
      case 'SOA': {
        const primary = this.domainName();
        this.domainName();
        this.take(16);
        return { type, primary, minimumSeconds: this.uint32() };
      }
      case 'CAA': {
        const critical = (this.uint8() & 0x80) !== 0;
        const tag = this.take(this.uint8()).toString('latin1').toLowerCase();
        return { type, critical, tag, value: this.rest(frame).toString('utf8') };
      }
      case 'TLSA':
        return {
          type,
          usage: this.uint8(),
          selector: this.uint8(),
          matchingType: this.uint8(),
          certificate: this.rest(frame),
        };
      case 'DS':
      case 'DNSKEY':
        this.offset = frame.end;
        return { type };
      default:
        return null;
    }
  }

  /** The strings of a TXT record, joined without a separator (RFC 7208 3.3). */
  private characterStrings(end: number): string {
    const parts: Buffer[] = [];
    while (this.offset < end) parts.push(this.take(this.uint8()));
    return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
  }

  private rest(frame: RecordFrame): Buffer {
    return this.take(frame.end - this.offset);
  }

  private need(length: number): void {
    if (length < 0 || this.offset + length > this.bytes.length) throw new MalformedMessage('message breaks off', true);
  }
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;

/** Buffer for names before they become strings: one string each, so that a cache keeps no fragments alive. */
const nameText = Buffer.alloc(MAX_NAME_OCTETS * '\\255'.length);

function writeOctet(at: number, octet: number): number {
  nameText[at] = octet;
  return at + 1;
}

function writeLabelOctet(at: number, octet: number): number {
  if (octet >= 0x41 && octet <= 0x5a) return writeOctet(at, octet + 0x20);
  if (octet <= 0x20 || octet >= 0x7f) return at + nameText.write(`\\${String(octet).padStart(3, '0')}`, at, 'latin1');
  return writeOctet(octet === DOT || octet === BACKSLASH ? writeOctet(at, BACKSLASH) : at, octet);
}
