import { generateKeyPairSync } from 'node:crypto';

/** A DKIM key record as a domain publishes it. */
export function dkimRecord(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
}
