import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { callScriptFunction } from './script-function.js';

const ROOT = resolve(__dirname, '../..');
const read = (report: unknown): Promise<unknown> =>
  callScriptFunction('audit-report.mjs', 'readAudit', typeof report === 'string' ? report : JSON.stringify(report));

describe('the audit of dependencies', () => {
  it('finds nothing in production dependencies, or reports that it could not check, which is no pass', async () => {
    const { code, stdout } = await promisify(execFile)(process.execPath, ['scripts/audit.mjs'], { cwd: ROOT }).then(
      ({ stdout: text }) => ({ code: 0, stdout: text }),
      (failure: { code: number; stdout: string }) => failure,
    );
    expect([code, stdout]).toEqual(
      code === 75
        ? [75, expect.stringMatching(/^audit: SKIPPED, nobody has looked .+\n$/)]
        : [0, 'audit: no known faults in production dependencies\n'],
    );
    if (code === 75) console.log(stdout.trim());
  });

  it('reports faults from moderate severity on, and ignores lesser ones', async () => {
    const fault = (name: string, severity: string) => ({ [name]: { name, severity, range: '<2.0.0' } });
    expect(await read({ vulnerabilities: { ...fault('a', 'high'), ...fault('b', 'low') } })).toEqual({
      kind: 'faults',
      lines: ['audit: high: a <2.0.0'],
    });
    expect(await read({ vulnerabilities: fault('b', 'low') })).toMatchObject({ kind: 'clean' });
  });

  it.each(['', 'not JSON', '{"message":"405 Method Not Allowed","error":{}}'])(
    'is skipped with a message: %j',
    async (text) => {
      expect(await read(text)).toMatchObject({ kind: 'skipped', lines: [expect.stringContaining('SKIPPED')] });
    },
  );
});
