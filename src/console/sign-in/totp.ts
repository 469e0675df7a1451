import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Of RFC 6238: steps of 30 seconds, 6 digits, SHA-1, which is what authenticator apps have in common. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 4226 4 asks for 160 bits. */
const SECRET_OCTETS = 20;
/** Steps before and after the present one whose code is taken: clocks differ, and people type slowly. */
const DRIFT = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_OCTETS);
}

/** RFC 4226 5.3 for the counter `step`. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const truncated = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(truncated % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step of a code that is good now; null for any other text.
 * @param usedUp the last step whose code was taken: it and those before it are not good any more
 */
export function stepOfCode(secret: Buffer, code: string, now: number, usedUp: number | null): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const present = Math.floor(now / STEP_MS);
  for (let step = present - DRIFT; step <= present + DRIFT; step++) {
    const isRight = timingSafeEqual(Buffer.from(code), Buffer.from(totpCode(secret, step)));
    if (isRight && step > (usedUp ?? -1)) return step;
  }
  return null;
}

/** RFC 4648, without padding: as apps take a secret that is typed. */
export function toBase32(octets: Buffer): string {
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The URI that a QR code shows to an app. */
export function totpUri(secret: Buffer, email: string): string {
  const label = encodeURIComponent(`Mailvet:${email}`);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=Mailvet&algorithm=SHA1&digits=${DIGITS}&period=30`;
}
