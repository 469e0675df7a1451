'use strict';

const { fork } = require('node:child_process');
const path = require('node:path');

const PROGRAM = path.resolve(__dirname, 'operator-process.cjs');
const COMMAND_MS = 60_000;
const REST_MS = 30_000;

/**
 * A process that runs operator commands of the built product, one for many: loading the product takes most of the time of a
 * command. It ends with the process that started it.
 */
class OperatorProcess {
  #child = null;
  #lastId = 0;
  #waiting = new Map();
  #environment;

  /** @param environment added to a bare one (PATH and HOME), for Node itself; each command brings its own */
  constructor(environment = {}) {
    const { PATH, HOME, MAILVET_RUN_FOLDER: run } = process.env;
    this.#environment = { PATH, HOME, ...(run && { MAILVET_RUN_FOLDER: run }), ...environment };
  }

  /** Runs one command to its end: `account`, `list`, `--json`. Throws when it takes longer than a minute. */
  async run(argv, env) {
    return this.#ask({ argv, env }, COMMAND_MS, `${argv.join(' ')} did not end in ${COMMAND_MS} ms`);
  }

  /** Throws when the commands left something open that would keep a process of their own from ending. */
  async rest() {
    if (this.#child === null) return;
    const { left } = await this.#ask(
      { rest: REST_MS },
      2 * REST_MS,
      'the process of operator commands does not answer',
    );
    if (left.length === 0) return;
    this.#giveUp();
    throw new Error(`an operator command left something open: ${left.join(', ')}`);
  }

  end() {
    this.#child?.disconnect();
  }

  async #ask(question, ms, late) {
    this.#child ??= this.#start();
    const child = this.#child;
    const id = (this.#lastId += 1);
    const answered = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const timer = setTimeout(() => {
      this.#settle(id, 'reject', new Error(late));
      if (child === this.#child) this.#giveUp();
    }, ms);
    child.channel.ref();
    child.send({ id, ...question }, (error) => error && this.#settle(id, 'reject', error));
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
      // It keeps nobody from ending who waits for no answer.
      if (this.#waiting.size === 0) child.channel?.unref();
    }
  }

  #start() {
    const child = fork(PROGRAM, [], { env: this.#environment, execArgv: [] });
    child.unref();
    child.on('message', ({ id, ...answer }) => this.#settle(id, 'resolve', answer));
    child.once('error', (error) => this.#failAll(error));
    child.once('exit', (code, signal) => {
      if (child !== this.#child) return;
      this.#child = null;
      this.#failAll(new Error(`the process of operator commands ended with ${code ?? signal}`));
    });
    return child;
  }

  /** The next command gets a new one. */
  #giveUp() {
    this.#child.kill('SIGKILL');
    this.#child = null;
    this.#failAll(new Error('the process of operator commands was killed'));
  }

  #settle(id, how, what) {
    this.#waiting.get(id)?.[how](what);
    this.#waiting.delete(id);
  }

  #failAll(error) {
    for (const id of this.#waiting.keys()) this.#settle(id, 'reject', error);
  }
}

module.exports = { OperatorProcess };
