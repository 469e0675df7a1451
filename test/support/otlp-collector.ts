import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** `SERVER`, `CLIENT`, … */
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly events: readonly string[];
  /** `traceId/spanId` of each. */
  readonly links: readonly string[];
  readonly isError: boolean;
}

export interface OtlpCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Headers of the last export. */
  readonly lastHeaders: IncomingMessage['headers'];
  /** Everything that came in, as it came. */
  octets(): Buffer;
  close(): Promise<void>;
}

/** An HTTP server that takes spans as an OpenTelemetry collector does (OTLP/HTTP, protobuf). */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: Buffer[] = [];
  const spans: CollectedSpan[] = [];
  let lastHeaders: IncomingMessage['headers'] = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isExport = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      if (isExport) {
        bodies.push(body);
        spans.push(...readExport(body));
        lastHeaders = request.headers;
      }
      response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get lastHeaders() {
      return lastHeaders;
    },
    octets: () => Buffer.concat(bodies),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** Fields of a message by number: octets of strings and messages, and numbers. */
type Fields = ReadonlyMap<number, readonly (Buffer | number)[]>;

/** ExportTraceServiceRequest of opentelemetry-proto. */
function readExport(body: Buffer): CollectedSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1)[0];
    const service = String((resource && attributesOf(resource, 1))?.['service.name'] ?? '');
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => readSpan(span, service)));
  });
}

function readSpan(span: Fields, service: string): CollectedSpan {
  return {
    service,
    traceId: octets(span, 1).toString('hex'),
    spanId: octets(span, 2).toString('hex'),
    parentSpanId: octets(span, 4).toString('hex'),
    name: octets(span, 5).toString(),
    kind: KINDS[number(span, 6)] ?? '',
    attributes: attributesOf(span, 9),
    events: messages(span, 11).map((event) => octets(event, 2).toString()),
    links: messages(span, 13).map((link) => `${octets(link, 1).toString('hex')}/${octets(link, 2).toString('hex')}`),
    isError: messages(span, 15).some((status) => number(status, 3) === 2),
  };
}

function attributesOf(fields: Fields, field: number): Record<string, string | number | boolean> {
  return Object.fromEntries(
    messages(fields, field).map((pair) => {
      const value = messages(pair, 2)[0] ?? new Map();
      const text = value.has(1) ? octets(value, 1).toString() : null;
      return [octets(pair, 1).toString(), text ?? (value.has(2) ? number(value, 2) === 1 : number(value, 3))];
    }),
  );
}

function messages(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).map((value) => readFields(value as Buffer));
}

function octets(fields: Fields, field: number): Buffer {
  return (fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

function number(fields: Fields, field: number): number {
  return (fields.get(field)?.[0] as number | undefined) ?? 0;
}

/** The wire format of Protocol Buffers. */
function readFields(body: Buffer): Fields {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const octet = body.readUInt8(at++);
      value += (octet & 0x7f) * shift;
      if (octet < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > body.length) throw new Error('the message is cut off');
    return body.subarray(at, (at += length));
  };
  while (at < body.length) {
    const tag = varint();
    const wire = tag & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    const field = tag >>> 3;
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}
