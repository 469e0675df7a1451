import Fastify from 'fastify';
import { loadConfig } from '../config/load-config.js';
import { Metrics } from '../metrics/metrics.js';
import { RequestMetrics } from './request-metrics.js';

it('shows the answers 500 and 503 of each route from the start, at 0', async () => {
  const env = { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing', REDIS_URL: 'redis://127.0.0.1:1' };
  const metrics = new Metrics(loadConfig('api', env).config);
  const instance = Fastify();
  new RequestMetrics(metrics).serve(instance);
  instance.post('/v1/things', () => ({}));
  await instance.ready();
  const shown = (await metrics.read()).split('\n').filter((line) => line.startsWith('mailvet_http_requests_total{'));
  expect(shown).toEqual([
    'mailvet_http_requests_total{route="/v1/things",method="POST",status="500"} 0',
    'mailvet_http_requests_total{route="/v1/things",method="POST",status="503"} 0',
  ]);
  await instance.inject({ method: 'POST', url: '/v1/things' });
  expect(await metrics.read()).toContain('{route="/v1/things",method="POST",status="200"} 1');
  await instance.close();
});
