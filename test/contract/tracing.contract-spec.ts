import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadTracing, readTracing } from '../../src/platform/config/load-tracing.js';
import { VariableReader } from '../../src/platform/config/variable-reader.js';

const DOCUMENT = readFileSync(resolve(__dirname, '../../docs/tracing.md'), 'utf8');
const documented = new Map(
  [...DOCUMENT.matchAll(/^\| `(OTEL_[A-Z_]+)` \| ([^|]+) \|/gm)].map(([, name = '', byDefault = '']) => [
    name,
    byDefault.trim().replaceAll('`', ''),
  ]),
);

describe('docs/tracing.md', () => {
  const read = new VariableReader('api', {});
  readTracing(read);
  const names = [...read.variables.keys()];

  it('lists exactly the variables that are read, each once', () => {
    expect([...documented.keys()]).toEqual(names);
    expect(DOCUMENT.match(/^\| `OTEL_[A-Z_]+`/gm)).toHaveLength(names.length);
  });

  it.each(names)('shows the default of %s', (name) => {
    expect(documented.get(name)).toBe(read.variables.get(name)?.default);
  });

  it('shows a start command that enables it', () => {
    const [line = ''] = /^OTEL_.* node dist\/main$/m.exec(DOCUMENT) ?? [];
    const env = Object.fromEntries(
      [...line.matchAll(/(OTEL_[A-Z_]+)=(\S+)/g)].map(([, name = '', value]) => [name, value]),
    );
    expect(loadTracing('api', env)).toMatchObject({ tracing: { exporter: 'otlp' }, faults: [] });
  });
});
