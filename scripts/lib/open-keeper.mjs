import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { shortPath } from './paths.mjs';
import { signal } from './processes.mjs';
import { Trouble } from './trouble.mjs';

/**
 * @typedef {object} Task
 * @property {string} name unique among the running ones
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} [env] added to the environment of the script
 * @property {string} [cwd]
 * @property {string} [argv0] the name the program sees itself called by
 * @property {string} [log] file that gets its output; without it the output goes to the terminal
 * @property {boolean} [openStdin] for what ends with its standard input: that stays open, and silent, as long as the keeper
 * @property {number} [maxMs] stopped when it runs longer
 * @property {number} [graceMs] between SIGTERM and SIGKILL
 *
 * @typedef {{ code: number | null, signal: string | null }} Ended
 * @typedef {{ pid: number, ended: Promise<Ended> }} Started
 * @typedef {Task & Ended} Lost
 */

/**
 * Opens the keeper of a run (`keeper.mjs`), which holds the folder until it ends.
 * Throws Trouble when another run holds it.
 * @param {string} folder
 */
export async function openKeeper(folder) {
  const child = fork(join(import.meta.dirname, 'keeper.mjs'), [folder], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const holder = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.holder));
    void gone.finally(() => reject(new Error('the keeper of the processes did not start')));
  });
  if (holder) throw new Trouble(busyMessage(folder, holder));

  /** Questions without an answer yet, by id. @type {Map<number, { resolve: Function, reject: Function }>} */
  const asked = new Map();
  /** Processes not known to have ended, by pid. @type {Map<number, (ended: Ended) => void>} */
  const watched = new Map();
  let lastId = 0;
  const stopping = new Set();
  let reportLost;
  const lost = new Promise((resolve) => {
    reportLost = resolve;
  });

  child.on('message', (message) => {
    if (message.ended) {
      watched.get(message.ended)?.({ code: message.code, signal: message.signal });
      watched.delete(message.ended);
      return;
    }
    const question = asked.get(message.id);
    asked.delete(message.id);
    if (message.error) question.reject(new Error(message.error));
    else {
      const value = message.value;
      if (value?.pid) value.ended = new Promise((resolve) => watched.set(value.pid, resolve));
      question.resolve(value);
    }
  });
  void gone.finally(() => {
    for (const { reject } of asked.values()) reject(new Error('the keeper of the processes has died'));
    for (const [pid, ended] of watched) {
      signal(-pid, 'SIGKILL');
      ended({ code: null, signal: 'SIGKILL' });
    }
  });

  function ask(what, details) {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      asked.set(id, { resolve, reject });
      child.send({ id, ask: what, ...details }, (error) => error && reject(error));
    });
  }

  return {
    /** Starts a process that goes on until it is stopped. @type {(task: Task) => Promise<Started>} */
    async start(task) {
      const started = await ask('start', task);
      void started.ended.then((ended) => stopping.has(task.name) || reportLost({ ...task, ...ended }));
      return started;
    },
    /** Resolves when a process that was to go on has ended by itself. @type {Promise<Lost>} */
    lost,
    /** Runs a process to its end. @type {(task: Task) => Promise<Ended>} */
    run: async (task) => (await ask('start', task)).ended,
    /** Stops one process and waits for its end. @param {string} name */
    async stop(name) {
      stopping.add(name);
      await ask('stop', { name });
      stopping.delete(name);
    },
    /** Stops everything, last started first, and the keeper itself. */
    async end() {
      if (child.connected) child.send({ ask: 'end' }, () => {});
      await gone;
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openKeeper>>} Keeper */

function busyMessage(folder, { script, since }) {
  const name = basename(folder);
  return (
    `"${name}" is already running (process ${script}, since ${new Date(since).toLocaleTimeString()}) ` +
    `and uses ${shortPath(folder)}.\nStop it with Ctrl-C in its terminal, or with: kill ${script}`
  );
}
