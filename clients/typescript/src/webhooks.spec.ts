import { createHmac } from 'node:crypto';
import { verifyWebhook, WebhookVerificationError } from './webhooks.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"job.completed","timestamp":"2026-11-28T10:00:00.000Z","data":{"id":"é"}}';

const now = (): number => Math.floor(Date.now() / 1000);
const sign = (time: number, body: string, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')}`;
};
const headersOf = (time: number, ...signatures: string[]) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(time),
  'webhook-signature': signatures.join(' '),
});

it('returns what a signed webhook carries', async () => {
  const headers = headersOf(now(), sign(now(), BODY, SECRET));
  const event = { type: 'job.completed', timestamp: '2026-11-28T10:00:00.000Z', data: { id: 'é' } };
  expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(event);
  expect(await verifyWebhook(Buffer.from(BODY), new Headers(headers), SECRET)).toEqual(event);
});

it('reads the example of the Standard Webhooks specification', async () => {
  const headers = {
    'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'Webhook-Timestamp': '1614265330',
    'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const event = await verifyWebhook('{"test": 2432232314}', headers, secret, { toleranceSeconds: Infinity });
  expect(event).toEqual({ test: 2432232314 });
});

it('takes one signature of two, as there are while a secret is replaced', async () => {
  const both = headersOf(now(), sign(now(), BODY, OTHER), sign(now(), BODY, SECRET));
  await expect(verifyWebhook(BODY, both, SECRET)).resolves.toMatchObject({ type: 'job.completed' });
  await expect(verifyWebhook(BODY, both, OTHER)).resolves.toMatchObject({ type: 'job.completed' });
});

it.each([
  ['another secret', BODY, headersOf(now(), sign(now(), BODY, OTHER))],
  ['another body', BODY.replace('job', 'cob'), headersOf(now(), sign(now(), BODY, SECRET))],
  ['another time', BODY, headersOf(now() - 1, sign(now(), BODY, SECRET))],
  ['a time long ago', BODY, headersOf(now() - 400, sign(now() - 400, BODY, SECRET))],
  ['a time to come', BODY, headersOf(now() + 400, sign(now() + 400, BODY, SECRET))],
  ['no time', BODY, { ...headersOf(now(), sign(now(), BODY, SECRET)), 'webhook-timestamp': 'now' }],
  ['another kind of signature', BODY, headersOf(now(), sign(now(), BODY, SECRET).replace('v1,', 'v2,'))],
  ['half a signature', BODY, headersOf(now(), sign(now(), BODY, SECRET).slice(0, 20))],
  ['no base64', BODY, headersOf(now(), 'v1,§§')],
  ['no signature', BODY, { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now()) }],
])('refuses %s', async (_, body, headers) => {
  await expect(verifyWebhook(body, headers, SECRET)).rejects.toThrow(WebhookVerificationError);
});
