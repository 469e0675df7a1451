/** What a webhook of the service carries. */
export interface WebhookEvent<Data = unknown> {
  /** `job.completed`, `verification.completed`, `credits.low` or `guard.quota_exhausted`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Data;
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request was not sent by the service, was changed on its way, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Checks the signature of a webhook (Standard Webhooks) and returns what it carries.
 * @param body as it was received: text that was parsed and written again has another signature
 * @param headers of the request
 * @param secret of the endpoint, `whsec_…`
 * @param toleranceSeconds how far its time may be from now
 */
export async function verifyWebhook<Data = unknown>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent<Data>> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a time.');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      `The webhook is more than ${toleranceSeconds} seconds from the time of this machine.`,
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await keyOf(secret);
  for (const signature of signatures.split(' ')) {
    const octets = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : null;
    // Takes the same time wherever the two differ.
    if (octets !== null && (await crypto.subtle.verify('HMAC', key, octets, signed))) {
      return JSON.parse(text) as WebhookEvent<Data>;
    }
  }
  throw new WebhookVerificationError('No signature of the webhook is one of this secret.');
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookVerificationError(`The webhook needs one header ${name}.`);
  return value;
}

function keyOf(secret: string) {
  const octets = fromBase64(secret.replace(/^whsec_/, ''));
  if (octets === null || octets.length === 0) {
    throw new WebhookVerificationError('The secret is not one of an endpoint: it begins with whsec_.');
  }
  return crypto.subtle.importKey('raw', octets, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
