const WEBHOOK = {
  id: '019acd5e-7f2c-7a10-9b1e-6f0c2d4e8a11',
  url: 'https://hooks.example.com/mailvet',
  events: ['job.completed', 'credits.low'],
  mode: 'live',
  low: 1000,
  disabled_at: null,
  created_at: '2026-11-28T01:05:12.303Z',
};
const { id: _id, disabled_at: _off, created_at: _at, mode: _mode, ...WANTED } = WEBHOOK;

export const WEBHOOK_REQUESTS = { one: { summary: 'Completed jobs, and a low balance', value: WANTED } };
export const NEW_WEBHOOK = {
  one: {
    summary: 'It is made',
    value: { ...WEBHOOK, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwJ6hVDr5CZmQ=' },
  },
};
export const WEBHOOK_LIST = { one: { summary: 'One endpoint', value: { webhooks: [WEBHOOK] } } };
