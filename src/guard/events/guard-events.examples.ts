const EVENT = {
  domain: 'example.com',
  verdict: 'disposable',
  action: 'deny',
  reasons: ['disposable_provider'],
  degraded: false,
  source: 'local',
  integration: 'email-guard-js',
  lib_version: '1.2.0',
};

export const REPORTS = { one: { summary: 'One event', value: { events: [EVENT] } } };
export const REPORT_ANSWERS = { one: { summary: 'It was stored', value: { accepted: 1, rejected: 0 } } };
