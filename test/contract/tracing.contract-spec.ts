import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadTracing } from '../../src/platform/config/load-tracing.js';
import { tracingEnvironment } from '../../src/platform/config/tracing-environment.js';

const DOCUMENT = readFileSync(resolve(__dirname, '../../docs/tracing.md'), 'utf8');
const documented = new Map(
  [...DOCUMENT.matchAll(/^\| `(OTEL_[A-Z_]+)` \| ([^|]+) \|/gm)].map(([, name = '', byDefault = '']) => [
    name,
    byDefault.trim().replaceAll('`', ''),
  ]),
);

describe('docs/tracing.md', () => {
  const { shape } = tracingEnvironment;
  const names = Object.keys(shape) as (keyof typeof shape)[];

  it('lists exactly the variables of the schema, each once', () => {
    expect([...documented.keys()]).toEqual(names);
    expect(DOCUMENT.match(/^\| `OTEL_[A-Z_]+`/gm)).toHaveLength(names.length);
  });

  it.each(names)('shows the default of %s', (name) => {
    expect(documented.get(name)).toBe(shape[name].meta()?.['default']);
  });

  it('shows a start command that enables it', () => {
    const [line = ''] = /^OTEL_.* node dist\/main$/m.exec(DOCUMENT) ?? [];
    const env = Object.fromEntries(
      [...line.matchAll(/(OTEL_[A-Z_]+)=(\S+)/g)].map(([, name = '', value]) => [name, value]),
    );
    expect(loadTracing('api', env)).toMatchObject({ tracing: { exporter: 'otlp' }, faults: [] });
  });
});
