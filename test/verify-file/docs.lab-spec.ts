import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { verifyFile } from './support/verify-file.js';

const DOCUMENT = readFileSync(resolve(__dirname, '../../docs/verify-file.md'), 'utf8');

function block(kind: string): string {
  return new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? '';
}

it('the example of docs/verify-file.md does what the page says', async () => {
  const world = joinWorlds(domainWithHost('example.com', { recipients: { ann: ACCEPTED } }), {
    dns: { 'example.net': { MX: [[0, '.']] } },
    hosts: {},
  });
  const lab = await startLaboratory(world);
  const folder = mkdtempSync(join(tmpdir(), 'mailvet-test-'));
  const before = { ...process.env };
  const start = process.cwd();
  try {
    const [, file = '', command = ''] = /^(cat [^]*\nEND\n)node dist\/cli verify-file (.*)\n$/.exec(block('sh')) ?? [];
    execFileSync('sh', ['-c', file], { cwd: folder });
    Object.assign(process.env, laboratoryEnvironment(lab));
    process.chdir(folder);
    const { code, stdout } = await verifyFile(...command.split(' '));
    expect(code).toBe(0);
    expect(readFileSync('verified.csv', 'utf8')).toBe(block('csv'));
    expect(stdout).toBe(block('text'));
  } finally {
    process.chdir(start);
    process.env = before;
    rmSync(folder, { recursive: true, force: true });
    await lab.stop();
  }
});
