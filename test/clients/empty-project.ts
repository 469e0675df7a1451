import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');
const LIMIT_MS = 120_000;

export interface ProgramEnd {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project that has nothing but the packed client. */
export class EmptyProject {
  private readonly folder = mkdtempSync(join(tmpdir(), 'mailvet-client-'));

  /** Packs the built client and installs it, without a registry: it needs no other package. */
  async install(): Promise<void> {
    const [{ filename }] = JSON.parse(
      await this.succeed('npm', ['pack', '--json', '--pack-destination', this.folder, CLIENT]),
    ) as [{ filename: string }];
    this.write('package.json', '{ "private": true }');
    // TypeScript's own declarations need no check: they take more than half of the time.
    const compilerOptions = { module: 'nodenext', strict: true, types: [], skipDefaultLibCheck: true };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions }));
    await this.succeed('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`]);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Type-checks everything in the project, the client's declarations too, and writes JavaScript beside it. */
  compile(): Promise<ProgramEnd> {
    return this.run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')]);
  }

  run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramEnd> {
    const { PATH, HOME } = process.env;
    const child = spawn(program, args, { cwd: this.folder, env: { PATH, HOME, ...env }, timeout: LIMIT_MS });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (text.stderr += chunk));
    return new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('close', (exit) => settle({ exit, ...text }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async succeed(program: string, args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.run(program, args);
    if (exit !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }
}
