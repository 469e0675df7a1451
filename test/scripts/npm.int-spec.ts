import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const NPM = pathToFileURL(resolve(__dirname, '../../scripts/lib/npm.mjs')).href;
const TARBALL = gzipSync(tarOf('package/package.json', JSON.stringify({ name: '@some/one', version: '1.2.3' })));
const INTEGRITY = `sha512-${createHash('sha512').update(TARBALL).digest('base64')}`;
const DESCRIPTION = '/@some%2fone';
const USUAL = '/@some/one/-/one-1.2.3.tgz';

describe('npm ci', () => {
  let folder: string;
  let registry: Server;
  let asked: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailvet-npm-'));
    const dependencies = { '@some/one': '1.2.3' };
    const packages = {
      '': { name: 'project', dependencies },
      'node_modules/@some/one': { version: '1.2.3', integrity: INTEGRITY },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', dependencies }));
    const lock = { name: 'project', lockfileVersion: 3, requires: true, packages };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    asked = [];
  });
  afterEach(() => {
    registry.close();
    rmSync(folder, { recursive: true });
  });

  it('asks the registry for the package alone', async () => {
    await startRegistry(USUAL);
    expect(await npmCi()).toBe(true);
    expect(asked).toEqual([USUAL]);
    expect(existsSync(join(folder, 'npm-shrinkwrap.json'))).toBe(false);
  });

  it('asks for its description where the registry has it at another path', async () => {
    await startRegistry('/files/7');
    expect(await npmCi()).toBe(true);
    expect(asked).toEqual([USUAL, DESCRIPTION, '/files/7']);
  });

  it('fails if the registry does not have it', async () => {
    await startRegistry(null);
    expect(await npmCi()).toBe(false);
    expect(existsSync(join(folder, 'npm-shrinkwrap.json'))).toBe(false);
  });

  async function startRegistry(tarball: string | null): Promise<void> {
    registry = createServer(({ url = '' }, response) => {
      asked.push(url);
      if (tarball === null || ![tarball, DESCRIPTION].includes(url)) return response.writeHead(404).end();
      if (url === tarball) return response.end(TARBALL);
      const dist = { tarball: `${origin()}${tarball}`, integrity: INTEGRITY };
      const versions = { '1.2.3': { name: '@some/one', version: '1.2.3', dist } };
      return response.end(JSON.stringify({ name: '@some/one', 'dist-tags': { latest: '1.2.3' }, versions }));
    });
    await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  }

  const origin = (): string => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

  async function npmCi(): Promise<unknown> {
    const env = { npm_config_registry: origin(), npm_config_cache: join(folder, 'cache') };
    const task = { name: 'npm-ci', args: [], cwd: folder, log: '', env };
    const source = `
      import { spawn } from 'node:child_process';
      import { once } from 'node:events';
      import { npmCi } from ${JSON.stringify(NPM)};
      const run = async ({ command, args, cwd, env }) => {
        const [code] = await once(spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' }), 'exit');
        return { code };
      };
      process.stdout.write(JSON.stringify(await npmCi({ run }, ${JSON.stringify(task)})));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
    return JSON.parse(stdout);
  }
});

/** A tar archive of one file. */
function tarOf(path: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(Buffer.byteLength(content), 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  const padding = Buffer.alloc((512 - (Buffer.byteLength(content) % 512)) % 512);
  return Buffer.concat([header, Buffer.from(content), padding, Buffer.alloc(1024)]);
}
