'use strict';

/**
 * The compiled operator command, loaded once for many commands, each a message `{ id, argv, env }`. Ends by itself when its
 * parent has disconnected, unless a command left something open; the message `{ id, rest }` asks whether one did.
 */
const { runCli } = require('../../dist/run-cli.js');
const { setTimeout: delay } = require('node:timers/promises');

const LOOK_EVERY_MS = 10;

const own = { ...process.env };
/** Commands of one environment run beside each other, and only those. */
let current = { key: '', running: new Set() };

process.on('message', ({ id, argv, env, rest }) => {
  const answer = argv ? inItsTurn(argv, env) : leftOpen(rest);
  void answer.then((what) => process.send?.({ id, ...what }));
});
// As `dist/cli` does. It opens the streams, which then are there for as long as the process is, as the channel to the parent.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const atRest = process.getActiveResourcesInfo().length;

async function inItsTurn(argv, env) {
  const key = JSON.stringify(env);
  while (current.key !== key) {
    if (current.running.size > 0) await Promise.all(current.running);
    else enter(key, env);
  }
  const { running } = current;
  const end = run(argv);
  running.add(end);
  return end.finally(() => running.delete(end));
}

function enter(key, env) {
  current = { key, running: new Set() };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, own, env);
}

async function run(argv) {
  const written = { stdout: '', stderr: '' };
  const code = await runCli(argv, {
    stdout: (text, done) => {
      written.stdout += text;
      done();
    },
    stderr: (text) => (written.stderr += text),
  });
  return { code, ...written };
}

/** What else keeps this process, once that has had time to end. */
async function leftOpen(ms) {
  const until = performance.now() + ms;
  while (process.getActiveResourcesInfo().length > atRest && performance.now() < until) {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
  }
  const left = process.getActiveResourcesInfo();
  return { left: left.length > atRest ? left : [] };
}
