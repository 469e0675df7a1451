import { AUTHENTIC_DATA, CHECKING_DISABLED, DNSSEC_OK, encode, RECURSION_DESIRED } from 'dns-packet';
import { MalformedMessage, MessageReader } from './message-reader.js';
import { COMPANIONS, OPT, TYPE_NUMBER, typeName } from './record-types.js';
import type { RecordData, RecordType } from './resolver.js';

/** A DNS question. `name` is normalized (`normalizeName`). */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
  readonly checkingDisabled: boolean;
}

/** A record of class IN and a supported type. */
export interface DnsRecord {
  readonly owner: string;
  readonly ttlSeconds: number;
  readonly data: RecordData;
}

export interface DnsMessage {
  /** Includes the upper eight bits from the OPT record (RFC 6891 6.1.3). */
  readonly rcode: number;
  readonly authenticated: boolean;
  /** The RA bit: the server asks other servers for what it does not know. */
  readonly recursionAvailable: boolean;
  /** Info codes of Extended DNS Errors (RFC 8914). */
  readonly extendedErrors: readonly number[];
  readonly answers: readonly DnsRecord[];
  /** True if the answer section holds records of another class or type, or the OPT record. */
  readonly strayAnswers: boolean;
  /** SOA and NS records, which tell a negative answer from a referral. */
  readonly authorities: readonly DnsRecord[];
}

export const RCODE = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5, badVers: 16 } as const;

/**
 * - `unrelated`: not an answer to this question (other id or question, or no answer): meant for somebody else, or
 *   forged.
 * - `malformed`: claims to be the answer but cannot be parsed.
 * - `truncated`: ask again over TCP and ignore the content. The sender set the TC bit, or the message ends at a common
 *   size limit.
 */
export type ReadResult =
  | { readonly kind: 'message'; readonly message: DnsMessage }
  | { readonly kind: 'truncated' | 'malformed' | 'unrelated' };

/** Largest UDP answer requested: passes any path unfragmented (RFC 9715). */
const UDP_PAYLOAD_SIZE = 1232;
/** The size every path and client accepts (RFC 1035 4.2.1). Some senders cut longer messages here without the TC bit. */
const SMALLEST_CUT = 512;

/**
 * Encodes a query with id 0; `withId` sets the id of each attempt. Asks for recursion and the AD bit (RFC 6840 5.7);
 * with EDNS also for DNSSEC records, without which some resolvers give no AD bit. Does not mix the case of names
 * (0x20): that guards the path to authoritative servers only, and some servers answer it wrongly.
 */
export function encodeQuery(question: Question, edns: boolean): Buffer {
  const { name, type, checkingDisabled } = question;
  const opt = { udpPayloadSize: UDP_PAYLOAD_SIZE, extendedRcode: 0, ednsVersion: 0, flags: DNSSEC_OK, flag_do: true };
  return encode({
    type: 'query',
    id: 0,
    flags: RECURSION_DESIRED | AUTHENTIC_DATA | (checkingDisabled ? CHECKING_DISABLED : 0),
    questions: [{ name, type }],
    additionals: edns ? [{ type: 'OPT', name: '.', options: [], ...opt }] : [],
  });
}

/** Copies an encoded query with another id. */
export function withId(query: Buffer, id: number): Buffer {
  const copy = Buffer.from(query);
  copy.writeUInt16BE(id, 0);
  return copy;
}

/** Parses the answer to `question` sent with `id`. Never throws. */
export function readAnswer(bytes: Buffer, id: number, question: Question): ReadResult {
  try {
    return read(bytes, id, question);
  } catch (error) {
    if (error instanceof MalformedMessage) return { kind: 'malformed' };
    throw error;
  }
}

const HEADER_OCTETS = 12;
const CLASS_IN = 1;
const FLAG = {
  response: 0x8000,
  opcode: 0x7800,
  truncated: 0x0200,
  recursionAvailable: 0x0080,
  authenticated: 0x0020,
  rcode: 0x000f,
} as const;

function read(bytes: Buffer, id: number, question: Question): ReadResult {
  if (bytes.length < HEADER_OCTETS) return { kind: 'unrelated' };
  const reader = new MessageReader(bytes);
  const isOurs = reader.uint16() === id;
  const flags = reader.uint16();
  if (!isOurs || (flags & FLAG.response) === 0 || (flags & FLAG.opcode) !== 0) return { kind: 'unrelated' };
  const [questions, answers, authorities, additionals] = [0, 0, 0, 0].map(() => reader.uint16()) as Counts;
  const rcode = flags & FLAG.rcode;
  if (!repeatsQuestion(reader, questions, question)) {
    // A server that cannot parse a query need not repeat it (RFC 1035 4.1.1: format error).
    const empty = questions === 0 && answers === 0 && (rcode === RCODE.formErr || rcode === RCODE.notImp);
    if (!empty) return { kind: 'unrelated' };
  }
  if ((flags & FLAG.truncated) !== 0) return { kind: 'truncated' };
  try {
    const found = readRecords(reader, answers, (type) => type === question.type || type === 'CNAME');
    const { records: named } = readRecords(reader, authorities, (type) => type === 'SOA' || type === 'NS');
    const { upperRcode, extendedErrors } = readOpt(reader, additionals);
    const message = {
      rcode: rcode | (upperRcode << 4),
      authenticated: (flags & FLAG.authenticated) !== 0,
      recursionAvailable: (flags & FLAG.recursionAvailable) !== 0,
      extendedErrors,
      answers: found.records,
      strayAnswers: found.stray,
      authorities: named,
    };
    return { kind: 'message', message };
  } catch (error) {
    if (error instanceof MalformedMessage && error.cutOff && bytes.length >= SMALLEST_CUT) return { kind: 'truncated' };
    throw error;
  }
}

type Counts = [questions: number, answers: number, authorities: number, additionals: number];

function repeatsQuestion(reader: MessageReader, questions: number, question: Question): boolean {
  if (questions !== 1) return false;
  return (
    reader.domainName() === question.name &&
    reader.uint16() === TYPE_NUMBER[question.type] &&
    reader.uint16() === CLASS_IN
  );
}

/** The counts may lie: the loop ends at the end of the message, because a record takes at least eleven octets. */
function readRecords(
  reader: MessageReader,
  count: number,
  wanted: (type: RecordType) => boolean,
): { records: DnsRecord[]; stray: boolean } {
  const records: DnsRecord[] = [];
  let stray = false;
  for (let index = 0; index < count; index += 1) {
    const frame = reader.recordFrame();
    const type = typeName(frame.type);
    if (type === null || frame.class !== CLASS_IN || !wanted(type)) {
      stray ||= frame.class !== CLASS_IN || !COMPANIONS.has(frame.type);
      continue;
    }
    const data = reader.recordData(frame);
    // RFC 2181 8: a TTL with its highest bit set counts as zero.
    if (data !== null) records.push({ owner: frame.owner, ttlSeconds: frame.ttl > 0x7fffffff ? 0 : frame.ttl, data });
  }
  return { records, stray };
}

function readOpt(reader: MessageReader, count: number): { upperRcode: number; extendedErrors: number[] } {
  const opt = { upperRcode: 0, extendedErrors: [] as number[] };
  for (let index = 0; index < count; index += 1) {
    const frame = reader.recordFrame();
    if (frame.type === OPT) {
      opt.upperRcode = frame.ttl >>> 24;
      opt.extendedErrors.push(...reader.extendedErrors(frame));
    }
  }
  return opt;
}
