import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { loadEngineConfig, type EngineSettings } from '../platform/config/load-config.js';
import { LimitedPoliteness } from '../platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../platform/politeness/local-throttle-store.js';
import { politenessOptions } from '../platform/politeness/politeness-options.js';
import { createEngine, type RunningEngine } from '../verify/engine/create-engine.js';
import { InputText } from './input/input-text.js';
import { readListFile } from './input/list-file.js';
import { openInput } from './input/open-input.js';
import { Journal } from './journal.js';
import { ListVerification } from './list-verification.js';
import { outputOctets } from './output/output-octets.js';
import { summarize, summaryText, type Summary } from './output/summary.js';
import { inPieces, writeFileWhole } from './output/write-output.js';
import { ProgressDisplay } from './progress/progress-display.js';
import { lockOutput } from './run-lock.js';
import { shellWord, typedCommand } from './typed-command.js';
import type { VerifyFileOptions } from './verify-file-options.js';

/** Enough for the domains that are looked up at about the same time. */
const DNS_CACHE_ENTRIES = 20_000;

/**
 * Verifies the addresses of a file: reads it, asks about each address once, and writes it again with verdicts. What was
 * found out is noted in a journal beside the output, from which the same command goes on.
 */
export async function verifyFile(
  context: CommandContext,
  name: string,
  options: VerifyFileOptions,
): Promise<CommandOutput> {
  const { out, column, mode } = options;
  const toStdout = out === '-';
  if (toStdout && options.json === true) {
    throw new CommandError(
      '--json and --out - would both write to stdout. Name a file with --out, or leave out --json',
    );
  }
  if (name === '-' && process.stdin.isTTY) {
    throw new CommandError(
      `no list is piped in. Name the file, or type: ${context.programName} verify-file - --out ${shellWord(out)} < FILE`,
    );
  }
  refuseToReplace(out, name);
  const settings = loadEngineConfig();
  const input = await openInput(name, process.stdin);
  context.onClose(() => input.close());
  const list = await readListFile(await InputText.read(input), column);
  // From here on there is something to go on from.
  const stop = context.interruption();
  if (!toStdout) context.onClose(await lockOutput(out));
  // Another run may have ended while this one read its list.
  refuseToReplace(out, name);

  const running = engineFor(settings);
  context.onClose(async () => running.close());
  const { probes } = settings.config;
  const verification = new ListVerification(list, running, { ...options, ...probes });
  const display = new ProgressDisplay(context.status, () => verification.progress);
  if (mode !== 'quick') await watchEgress(running, display, stop);
  const head = { input: list.text.sha256, mode, column: list.column + 1 };
  const journal = toStdout ? null : await Journal.open(out, head, (line) => verification.recall(line));
  context.onClose(async () => journal?.close());
  display.start();
  const end = await verification.run(journal, stop).finally(() => display.stop());
  if (end.kind === 'stuck') throw stuck(end.why, journal);
  if (end.kind === 'interrupted') return interrupted(context, name, options, verification);

  if (await input.hasChanged()) {
    throw new CommandError(`${name} was changed while it was verified. ${out} is not written: type the same again`);
  }
  const only = options.only ?? null;
  const octets = outputOctets(list, verification.verdictOf, only);
  if (toStdout) for await (const piece of inPieces(octets)) await context.writeBytes(piece);
  else await writeFileWhole(out, octets);
  const { failed, why } = verification.failures;
  // What stayed unknown by our own fault is asked about by the next run.
  if (failed === 0) await journal?.remove();
  const summary: Summary = { in: name, out, ...summarize(list, verification.verdictOf, only), failed, why };
  return { json: summary, text: summaryText(summary), exitCode: failed === 0 ? 0 : 3 };
}

/** An existing file is replaced only by the run that goes on where the one that wrote it ended. */
function refuseToReplace(out: string, name: string): void {
  if (out === '-' || !existsSync(out)) return;
  const kind = statSync(out);
  if (isSameFile(kind, name)) throw new CommandError(`${out} is the list itself. Name another file with --out`);
  if (kind.isDirectory()) throw new CommandError(`${out} is a folder. Name a file in it with --out`);
  if (!kind.isFile() || isDevice(out))
    throw new CommandError(`${out} is no ordinary file. To write to stdout, type: --out -`);
  if (existsSync(Journal.pathFor(out))) return;
  throw new CommandError(`${out} exists. Name another file with --out, or type: rm ${shellWord(out)}`);
}

/** Such as /dev/stdout, which is an ordinary file where stdout is one. */
function isDevice(path: string): boolean {
  const folder = realpathSync(dirname(path));
  return folder === '/dev' || folder.startsWith('/proc/');
}

function isSameFile({ dev, ino }: Stats, name: string): boolean {
  const other = name === '-' ? null : statSync(name, { throwIfNoEntry: false });
  return other?.dev === dev && other.ino === ino;
}

function engineFor(settings: EngineSettings): RunningEngine {
  const { limits, ...backOff } = politenessOptions(settings.config.smtp);
  const politeness = new LimitedPoliteness(new LocalThrottleStore(backOff), { limits });
  return createEngine(settings, { politeness, dnsCacheEntries: DNS_CACHE_ENTRIES });
}

/** @throws CommandError if no mail host can be reached */
async function watchEgress({ egress }: RunningEngine, display: ProgressDisplay, stop: AbortSignal): Promise<void> {
  egress.start(({ raised }) => {
    for (const warning of raised) display.say(warning);
  });
  await Promise.race([egress.check(), stop.aborted || once(stop, 'abort')]);
  if (egress.states.some(({ port }) => port !== 'closed')) return;
  throw new CommandError(
    'no mail host can be reached: outgoing port 25 is closed. Open it, or type --mode quick to ask the DNS alone. What is wrong here: node dist/cli doctor',
    3,
  );
}

function stuck(why: string, journal: Journal | null): CommandError {
  const kept = journal === null ? '' : ' What was found out is kept: type the same again to go on.';
  return new CommandError(
    `stopped, since nothing gets through: ${why}.${kept} What is wrong here: node dist/cli doctor`,
    3,
  );
}

function interrupted(
  { programName }: CommandContext,
  name: string,
  options: VerifyFileOptions,
  { progress: { done, total } }: ListVerification,
): CommandOutput {
  const goOn =
    options.out === '-'
      ? 'Nothing is kept, since --out - has no place for it.'
      : `To go on, type: ${typedCommand(programName, name, options)}`;
  return {
    json: {
      interrupted: true,
      done,
      total,
      go_on: options.out === '-' ? null : typedCommand(programName, name, options),
    },
    text: `Stopped. ${done} of ${total} addresses are done. ${goOn}`,
    exitCode: 130,
  };
}
