import { runFolder } from './paths.mjs';
import { whenNpmIsGone } from './npm-above.mjs';
import { openKeeper } from './open-keeper.mjs';
import { logTail, say } from './say.mjs';
import { Trouble } from './trouble.mjs';

/**
 * @typedef {object} Run
 * @property {string} folder `.local/<name>`: data, logs
 * @property {import('./open-keeper.mjs').Keeper} keeper
 * @property {() => Promise<number>} untilStopped for what stays up: lasts until a person (Ctrl-C) or the system (SIGTERM)
 *   ends the run, which is then no failure; throws when a process that should go on has ended by itself
 */

/**
 * The frame of every script: one run of a name at a time, everything it started ended with it, failures told in words.
 * Sets the exit code: what `body` returns, 1 after a failure, 128 + signal number when it was cut short.
 * @param {string} name
 * @param {(run: Run) => Promise<number | void>} body
 */
export async function runScript(name, body) {
  const stop = new AbortController();
  const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };
  const cutShort = (signal) => {
    // npm passes a Ctrl-C on that the terminal has sent as well: the second one changes nothing, every stop has a limit.
    if (stop.signal.aborted) return;
    say('\nStopping …');
    stop.abort(signal);
  };
  for (const signal of Object.keys(signals)) process.on(signal, cutShort);
  whenNpmIsGone(() => cutShort('SIGTERM'));
  // A terminal that is gone is no reason to die before everything is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  let keeper;
  try {
    const folder = runFolder(name);
    keeper = await openKeeper(folder);
    let staysUp = false;
    const cut = new Promise((resolve) => {
      const code = () => (staysUp ? 0 : 128 + signals[stop.signal.reason]);
      if (stop.signal.aborted) resolve(code());
      stop.signal.addEventListener('abort', () => resolve(code()), { once: true });
    });
    const untilStopped = async () => {
      staysUp = true;
      const { name: lost, log } = await keeper.lost;
      throw new Trouble(`${lost} has ended by itself.`, { log });
    };
    const work = body({ folder, keeper, untilStopped });
    work.catch(() => {}); // after a cut its failures are only echoes
    process.exitCode = (await Promise.race([work, cut])) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    explain(error);
  } finally {
    await keeper?.end();
  }
  process.exit();
}

/** Tells what went wrong: a Trouble in its words, anything else with its stack. */
export function explain(error) {
  if (!(error instanceof Trouble)) {
    process.stderr.write(`\n${error.stack}\n`);
    return;
  }
  process.stderr.write(`\n${error.message}\n${logTail(error.log)}`);
}
