import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './programs.mjs';
import { Trouble } from './trouble.mjs';
import { waitUntil } from './wait-until.mjs';

/** The user of docker/Dockerfile. */
const uid = 1000;
const readyMs = 180_000;

/** The processes of an image, run as in a container as far as that goes: as its user, who owns nothing in it. */
export class ProductionRun {
  #started = new Map();

  /** @param {string[]} asUser what stands before a command */
  constructor(keeper, image, logs, environment, asUser) {
    this.keeper = keeper;
    this.image = image;
    this.logs = logs;
    this.asUser = asUser;
    this.scratch = join(image, 'scratch');
    this.environment = { ...environment, HOME: '/nonexistent', TMPDIR: this.scratch };
    mkdirSync(this.scratch, { mode: 0o777 });
  }

  /**
   * Only root can become another user; and a Node under root's home is one that others may not run.
   * @param {import('./open-keeper.mjs').Keeper} keeper
   * @returns {Promise<ProductionRun>}
   */
  static async open(keeper, image, logs, environment) {
    const setpriv = process.getuid?.() === 0 ? findProgram('setpriv') : null;
    const asUser = setpriv
      ? [setpriv, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
      : [];
    const run = new ProductionRun(keeper, image, logs, environment, asUser);
    try {
      await run.toEnd('try-user', ['--version']);
      return run;
    } catch {
      rmSync(run.scratch, { recursive: true });
      return new ProductionRun(keeper, image, logs, environment, []);
    }
  }

  get asWhom() {
    return this.asUser.length > 0 ? `as user ${uid}, without capabilities` : 'as the user of this shell';
  }

  /** Runs `node ARGS` to its end. Throws Trouble when its exit code is not 0. @returns {Promise<string>} its output */
  async toEnd(name, args) {
    const log = join(this.logs, `production-${name}.log`);
    rmSync(log, { force: true });
    const { code } = await this.keeper.run({ ...this.#task(name, args), log, maxMs: 180_000 });
    if (code !== 0) throw new Trouble(`node ${args.join(' ')} ended with ${code}.`, { log });
    return readFileSync(log, 'utf8');
  }

  /** Runs an operator command and parses what it prints. */
  async json(args) {
    return JSON.parse(await this.toEnd('cli', ['dist/cli', ...args, '--json']));
  }

  /** Starts a process and waits until it is ready. */
  async start(name, port) {
    const log = join(this.logs, `production-${name}.log`);
    rmSync(log, { force: true });
    const started = await this.keeper.start({ ...this.#task(name, [`dist/${name}`]), log, graceMs: 35_000 });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await waitUntil(isReady, { ms: readyMs, everyMs: 100, gone: started.ended }))) {
      throw new Trouble(`node dist/${name} did not become ready.`, { log });
    }
    this.#started.set(name, { ...started, log });
  }

  /** SIGTERM. Throws Trouble unless the process ends with 0 in time. */
  async stop(name) {
    const { ended, log } = this.#started.get(name);
    await this.keeper.stop(name);
    const { code, signal } = await ended;
    if (code !== 0) throw new Trouble(`node dist/${name} ended with ${code ?? signal} after SIGTERM.`, { log });
  }

  /** What processes left in the one place they may write to. */
  async written() {
    return readdirSync(this.scratch);
  }

  #task(name, args) {
    const [command, ...rest] = [...this.asUser, process.execPath, ...args];
    return { name, command, args: rest, cwd: this.image, env: this.environment };
  }
}
