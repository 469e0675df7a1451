import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate and its key, both PEM, as `tls` takes them. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateRequest {
  /** DNS names and IPv4 addresses; the subject alternative name is left out when there are none. */
  readonly names: readonly string[];
  /** Common name of the subject; the first of `names` by default. */
  readonly commonName?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const DAY_MS = 86_400_000;

/** A certificate authority of a test: nobody trusts it but who is given `certificate`. Built here, so that no tool is needed. */
export class TestAuthority {
  readonly certificate: string;
  private readonly keys = makeKeys();

  constructor(private readonly name = 'Test authority') {
    this.certificate = this.build({
      subject: name,
      publicKey: this.keys.publicKey,
      from: new Date(Date.now() - DAY_MS),
      to: new Date(Date.now() + 3650 * DAY_MS),
      extensions: [extension('2.5.29.19', der(0x30, der(0x01, Buffer.from([0xff]))), true)],
    });
  }

  issue({ names, commonName = names[0] ?? 'nobody', notBefore, notAfter }: CertificateRequest): Issued {
    const { publicKey, privateKey } = makeKeys();
    const alternatives = names.map((name) =>
      isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name, 'ascii')),
    );
    const cert = this.build({
      subject: commonName,
      publicKey,
      from: notBefore ?? new Date(Date.now() - DAY_MS),
      to: notAfter ?? new Date(Date.now() + 30 * DAY_MS),
      extensions: names.length === 0 ? [] : [extension('2.5.29.17', der(0x30, ...alternatives), false)],
    });
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
  }

  private build({ subject, publicKey, from, to, extensions }: Parts): string {
    const algorithm = der(0x30, objectId('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256
    const serial = randomBytes(8);
    serial[0] = 0x40 | (serial[0]! & 0x3f);
    const tbs = der(
      0x30,
      der(0xa0, der(0x02, Buffer.from([2]))), // version 3
      der(0x02, serial),
      algorithm,
      distinguishedName(this.name),
      der(0x30, utcTime(from), utcTime(to)),
      distinguishedName(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      ...(extensions.length === 0 ? [] : [der(0xa3, der(0x30, ...extensions))]),
    );
    const signature = sign('sha256', tbs, this.keys.privateKey);
    const whole = der(0x30, tbs, algorithm, der(0x03, Buffer.from([0]), signature));
    const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  }
}

interface Parts {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly from: Date;
  readonly to: Date;
  readonly extensions: readonly Buffer[];
}

function makeKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** One value of ASN.1 in DER (X.690 8.1): tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 0x100 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const octets = [40 * first + second, ...rest.flatMap(base128)];
  return der(0x06, Buffer.from(octets));
}

/** Seven bits an octet, all but the last with the eighth set. */
function base128(number: number): number[] {
  const groups = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
  return groups;
}

function distinguishedName(commonName: string): Buffer {
  const value = der(0x0c, Buffer.from(commonName, 'utf8'));
  return der(0x30, der(0x31, der(0x30, objectId('2.5.4.3'), value)));
}

/** `YYMMDDHHMMSSZ`, for the years up to 2049. */
function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`, 'ascii'));
}

function extension(id: string, value: Buffer, critical: boolean): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return der(0x30, objectId(id), ...flag, der(0x04, value));
}
