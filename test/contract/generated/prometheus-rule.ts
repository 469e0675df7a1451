/** The alert rules as a custom resource of the Prometheus operator. */
export function prometheusRule(alerts: string): string {
  const groups = alerts.slice(alerts.indexOf('groups:'));
  return [
    '# Made of docker/prometheus/alerts.yml by `npm run docs:generate`.',
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: mailvet',
    'spec:',
    groups.replaceAll(/^(?=.)/gm, '  '),
  ].join('\n');
}
