import { AUTHENTIC_DATA, CHECKING_DISABLED, DNSSEC_OK, encode, RECURSION_DESIRED } from 'dns-packet';
import { MalformedMessage, MessageReader } from './message-reader.js';
import { COMPANIONS, OPT, TYPE_NUMBER, typeName } from './record-types.js';
import type { RecordData, RecordType } from './resolver.js';

/** What is asked. `name` is normalized (`normalizeName`). */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
  readonly checkingDisabled: boolean;
}

/** A record of class IN and of a type we ask for. */
export interface DnsRecord {
  readonly owner: string;
  readonly ttlSeconds: number;
  readonly data: RecordData;
}

export interface DnsMessage {
  /** With the upper eight bits of the OPT record (RFC 6891 6.1.3). */
  readonly rcode: number;
  readonly authenticated: boolean;
  /** The RA bit: whoever answered asks others where it does not know. */
  readonly recursionAvailable: boolean;
  /** Info codes of Extended DNS Errors (RFC 8914). */
  readonly extendedErrors: readonly number[];
  readonly answers: readonly DnsRecord[];
  /** The answer section holds what does not belong there: records of another class or type, or the OPT record. */
  readonly strayAnswers: boolean;
  /** SOA and NS records: they tell a negative answer from a referral. */
  readonly authorities: readonly DnsRecord[];
}

export const RCODE = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5, badVers: 16 } as const;

/**
 * - `unrelated`: not an answer to this question (another id or question, no answer at all): somebody else's or forged.
 * - `malformed`: it claims to be the answer but cannot be read.
 * - `truncated`: ask again over TCP; nothing in it counts. The sender says so, or it is cut off where messages are cut.
 */
export type ReadResult =
  | { readonly kind: 'message'; readonly message: DnsMessage }
  | { readonly kind: 'truncated' | 'malformed' | 'unrelated' };

/** Largest UDP answer asked for: passes any path unfragmented (RFC 9715). */
const UDP_PAYLOAD_SIZE = 1232;
/** What every path and every client takes (RFC 1035 4.2.1), so that some cut off what is longer and do not say so. */
const SMALLEST_CUT = 512;

/**
 * The query on the wire, with id 0: each try puts its own in. Asks for recursion and for the AD bit (RFC 6840 5.7); with
 * EDNS also for DNSSEC records, without which some resolvers give no AD bit. Names keep their case: mixing it
 * (0x20) guards the path to an authoritative server, and some servers answer it wrongly.
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

/** A copy of an encoded query under another id. */
export function withId(query: Buffer, id: number): Buffer {
  const copy = Buffer.from(query);
  copy.writeUInt16BE(id, 0);
  return copy;
}

/** Reads what came back for `question` sent under `id`. Never throws. */
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
    // Servers that cannot make sense of a query need not repeat it (RFC 1035 4.1.1: format error).
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

/** Counts are claims: the loop ends at the end of the message, which a record of at least eleven octets soon reaches. */
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
