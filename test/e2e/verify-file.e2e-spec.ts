import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { joinWorlds } from '../lab/world.js';
import { runProcess, startProcess } from '../support/processes.js';
import { describeInTerminal, startInTerminal } from '../support/terminal.js';
import { waitUntil } from '../support/wait-until.js';
import { leads } from '../verify-file/support/leads.js';
import { seededRandom } from '../../src/platform/collections/seeded-random.js';
import { recipientsAsked } from '../verify-file/support/verify-file.js';

/** More in the long form: `VERIFY_FILE_ROWS=100000 VERIFY_FILE_KILLS=40`. */
const ROWS = Number(process.env['VERIFY_FILE_ROWS'] ?? 2000);
const KILLS = Number(process.env['VERIFY_FILE_KILLS'] ?? 6);
const SEED = Number(process.env['VERIFY_FILE_SEED'] ?? 20_261_129);
/** Share of the answers that are left, divided by the kills that are left: no run ends before it is killed. */
const LATEST = 0.7;
const MB_AT_MOST = 300;

const RUN_MS = 240_000 + ROWS * 20;

jest.setTimeout(2 * RUN_MS + KILLS * 30_000);

let folder: string;
const labs: Laboratory[] = [];

async function laboratory(...world: Parameters<typeof startLaboratory>): Promise<Laboratory> {
  const lab = await startLaboratory(...world);
  labs.push(lab);
  return lab;
}

const pathOf = (name: string): string => join(folder, name);
function given(name: string, text: string): string {
  writeFileSync(pathOf(name), text);
  return pathOf(name);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-test-'));
});
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a run that is killed again and again', () => {
  it('goes on where it was, asks about no address that had an answer, and writes what an undisturbed run writes', async () => {
    const random = seededRandom(SEED);
    const list = leads(ROWS, { roundTripMs: 10 });
    const lab = await laboratory(list.world);
    const env = laboratoryEnvironment(lab);
    const file = given('leads.csv', list.text);
    const undisturbed = await runProcess(['dist/cli', 'verify-file', file, '--out', pathOf('whole.csv')], env, RUN_MS);
    expect(undisturbed).toMatchObject({ code: 0 });

    const argv = ['dist/cli', 'verify-file', file, '--out', pathOf('out.csv'), '--concurrency', '5'];
    const journal = pathOf('out.csv.journal');
    const answered = (): Set<string> => answeredIn(journal, list.addressOf);
    const askedBefore = recipientsAsked(lab, list.hosts).length;
    const lives: { readonly done: Set<string>; readonly asked: number }[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = answered().size;
      const until = before + Math.floor((random() * LATEST * (ROWS - before)) / (KILLS - kill + 1));
      const run = await startProcess(argv, { env });
      const lines = lineCounter(journal);
      await waitUntil(async () => lines() > until, {
        ms: RUN_MS,
        everyMs: 5,
        gone: run.exitCode,
      });
      run.kill('SIGKILL');
      expect(await run.exitCode).toBe(128 + 9);
      expect(await lab.allSessionsClosed()).toBe(true);
      expect(readFileSync(journal, 'utf8')).not.toMatch(/@|lead\.number/);
      lives.push({ done: answered(), asked: recipientsAsked(lab, list.hosts).length });
      expect(existsSync(pathOf('out.csv'))).toBe(false);
    }
    expect(await runProcess(argv, env, RUN_MS)).toMatchObject({ code: 0 });

    expect(readFileSync(pathOf('out.csv'))).toEqual(readFileSync(pathOf('whole.csv')));
    expect(readdirSync(folder).sort()).toEqual(['leads.csv', 'out.csv', 'whole.csv']);
    const asked = orderOfQuestions(lab, list.hosts).slice(askedBefore);
    const inFlight = asked.length - ROWS;
    process.stdout.write(
      `seed ${SEED}: killed after ${lives.map(({ done }) => done.size).join(', ')} of ${ROWS} answers; ${inFlight} questions asked again\n`,
    );
    for (const { done, asked: count } of lives) {
      expect(asked.slice(count - askedBefore).filter((address) => done.has(address))).toEqual([]);
    }
    expect(new Set(asked).size).toBe(ROWS);
  });
});

/** Counts the lines of a journal, its head and one for each answer. It reads only what has come since it was last asked. */
function lineCounter(path: string): () => number {
  const chunk = Buffer.alloc(64 * 1024);
  let [read, lines] = [0, 0];
  return () => {
    if (!existsSync(path)) return 0;
    const file = openSync(path, 'r');
    try {
      for (let length; (length = readSync(file, chunk, 0, chunk.length, read)) > 0; read += length) {
        lines += chunk.subarray(0, length).filter((octet) => octet === 0x0a).length;
      }
    } finally {
      closeSync(file);
    }
    return lines;
  };
}

/** The addresses that a journal has an answer about. Its last line may be cut. */
function answeredIn(path: string, addressOf: (lead: number) => string): Set<string> {
  if (!existsSync(path)) return new Set();
  const [, ...lines] = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  // Rows count from 1, and the first one has the names of the columns.
  return new Set(lines.map((line) => addressOf((JSON.parse(line) as { row: number }).row - 2)));
}

/** The recipients asked about, by the start of their sessions. */
function orderOfQuestions(lab: Laboratory, hosts: readonly string[]): string[] {
  return hosts
    .flatMap((host) => lab.sessions(host))
    .sort((one, other) => one.openedAt - other.openedAt)
    .flatMap(({ commands }) => commands)
    .flatMap((command) => /^RCPT TO:<([^>]+)>/i.exec(command)?.[1] ?? []);
}

describe('a list of 100,000 rows', () => {
  it(`takes less than ${MB_AT_MOST} MB`, async () => {
    const list = leads(10_000);
    const rest = Array.from(
      { length: 90_000 },
      (_, row) => `${row};"Row ""${row}""";someone${row}@nobody${row % 500}.example\n`,
    );
    const nobody = Object.fromEntries(
      Array.from({ length: 500 }, (_, domain) => [`nobody${domain}.example`, { MX: [[0, '.'] as const] }]),
    );
    const lab = await laboratory(joinWorlds(list.world, { dns: nobody, hosts: {} }), { sessionsKept: 1 });
    const file = given('leads.csv', list.text + rest.join(''));
    const env = {
      ...laboratoryEnvironment(lab),
      MAX_RSS_FILE: pathOf('max-rss'),
      NODE_OPTIONS: `--require ${resolve(__dirname, '../support/max-rss.cjs')}`,
    };
    const argv = ['dist/cli', 'verify-file', file, '--out', pathOf('out.csv'), '--json'];
    const start = performance.now();
    const { code, stdout } = await runProcess(argv, env, 240_000);
    const seconds = (performance.now() - start) / 1000;
    const mb = Number(readFileSync(pathOf('max-rss'), 'utf8')) / 1024;
    process.stdout.write(`100,000 rows: ${seconds.toFixed(1)} s, ${mb.toFixed(0)} MB at most\n`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 100_000, entries: 100_000, written: 100_000, failed: 0 });
    expect(mb).toBeLessThan(MB_AT_MOST);
  });
});

describe('standard input and output', () => {
  it('take a list through a pipe', async () => {
    const list = leads(30);
    const lab = await laboratory(list.world);
    const file = given('leads.csv', list.text);
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', `cat "$0" | "$1" dist/cli verify-file - --out - --only deliverable`, file, process.execPath],
      { cwd: resolve(__dirname, '../..'), env: { PATH: process.env['PATH'], ...laboratoryEnvironment(lab) } },
    );
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[1]).toBe(`1;"Lead ""1""";${list.addressOf(1)};valid;mailbox_accepts;true;allow;0.95;;`);
  });
});

describeInTerminal('verify-file in a terminal', () => {
  it('does not wait for a list that nobody pipes in', async () => {
    const terminal = startInTerminal(`${process.execPath} dist/cli verify-file - --out out.csv`, {});
    await terminal.shown(
      /^error: no list is piped in\. Name the file, or type: node dist\/cli verify-file - --out out\.csv < FILE$/m,
    );
    expect(await terminal.exitCode).toBe(1);
  });

  it('draws a bar, stops at Ctrl-C, and goes on with what it says to type', async () => {
    const list = leads(400, { delayMs: 60 });
    const lab = await laboratory(list.world);
    const env = laboratoryEnvironment(lab);
    const file = given("ann's leads.csv", list.text);
    const node = process.execPath;
    const typed = `dist/cli verify-file '${file.replaceAll("'", `'\\''`)}' --out '${pathOf('out.csv')}' --concurrency 2`;
    const first = startInTerminal(`${node} ${typed}`, env);
    await first.shown(/^\[#+-+\] \d+% {2}\d+ of 400 {2}\d.*valid \d+/m);
    first.type('\u0003');
    expect(await first.exitCode).toBe(130);
    const stopped = await first.shown(/Stopped\. \d+ of 400 addresses are done\. To go on, type: node dist\/cli .+/);
    expect(readdirSync(folder).sort()).toEqual(["ann's leads.csv", 'out.csv.journal']);
    const lines = first.output().split('\n');
    expect(Math.max(...lines.filter((line) => line.startsWith('[')).map(({ length }) => length))).toBeLessThan(100);

    const again = startInTerminal(stopped.slice(stopped.indexOf('node ')).replace(/^node/, node), env);
    expect(await again.exitCode).toBe(0);
    const screen = again.output();
    expect(screen).toMatch(/^\[#{20}\] 100% {2}400 of 400 .*valid 266 {2}invalid 134$/m);
    expect(screen).toMatch(/^RESULT +ROWS +SHARE\nvalid +266 +66\.5 %$/m);
    expect(readFileSync(pathOf('out.csv'), 'utf8').match(/;valid;/g)).toHaveLength(266);
    const asked = recipientsAsked(lab, list.hosts);
    expect(new Set(asked).size).toBe(400);
    expect(readdirSync(folder).sort()).toEqual(["ann's leads.csv", 'out.csv']);
  });
});
