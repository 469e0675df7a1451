import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockOutput } from '../../src/verify-file/run-lock.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { recipientsAsked, verifyFile } from './support/verify-file.js';

const NAMES =
  'mailvet_result,mailvet_reason,mailvet_deliverable,mailvet_decision,mailvet_score,mailvet_suggested_correction,mailvet_provider';

const world = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, grace: ACCEPTED } }),
  domainWithHost('catch-all.example', { otherRecipients: ACCEPTED }),
  domainWithHost('grey.example', {
    otherRecipients: ACCEPTED,
    sessions: [{ otherRecipients: '451 4.7.1 Greylisted, come back in 1 second' }, {}],
  }),
  domainWithHost('shut1.example', { tcp: 'refused' }),
  domainWithHost('shut2.example', { tcp: 'refused' }),
  { dns: { 'no-mail.example': { MX: [[0, '.']] } }, hosts: {} },
);

let lab: Laboratory;
let folder: string;
const variables = new Map<string, string | undefined>();

function setVariables(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!variables.has(name)) variables.set(name, process.env[name]);
    process.env[name] = value;
  }
}

const pathOf = (name: string): string => join(folder, name);
const written = (name: string): string => readFileSync(pathOf(name), 'utf8');
function given(name: string, text: string): string {
  writeFileSync(pathOf(name), text);
  return pathOf(name);
}

beforeAll(async () => {
  lab = await startLaboratory(world);
});
afterAll(() => lab?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-test-'));
  setVariables(laboratoryEnvironment(lab));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  variables.clear();
});

describe('verify-file', () => {
  const LEADS =
    'Name,E-Mail\r\n"Ada, L.",ada@company.example\r\nGrace,Grace@Company.example\r\nNobody,nemo@company.example\r\n' +
    'Ada again,ADA@company.example\r\nNull,x@no-mail.example\r\nBroken,no address\r\nEmpty,\r\n';

  it('writes the file again with verdicts, in its order, and asks about each address once', async () => {
    const before = recipientsAsked(lab, ['mx.company.example']).length;
    const end = await verifyFile(given('leads.csv', LEADS), '--out', pathOf('out.csv'));
    expect(end).toMatchObject({ code: 0 });
    expect(written('out.csv')).toBe(
      `Name,E-Mail,${NAMES}\r\n` +
        '"Ada, L.",ada@company.example,valid,mailbox_accepts,true,allow,0.95,,\r\n' +
        'Grace,Grace@Company.example,valid,mailbox_accepts,true,allow,0.95,,\r\n' +
        'Nobody,nemo@company.example,invalid,mailbox_not_found,false,deny,0,,\r\n' +
        'Ada again,ADA@company.example,valid,mailbox_accepts,true,allow,0.95,,\r\n' +
        'Null,x@no-mail.example,invalid,no_mx,false,deny,0,,\r\n' +
        'Broken,no address,invalid,bad_syntax,false,deny,0,,\r\n' +
        'Empty,,,,,,,,\r\n',
    );
    expect(recipientsAsked(lab, ['mx.company.example']).slice(before).sort()).toEqual([
      'ada@company.example',
      'grace@company.example',
      'nemo@company.example',
    ]);
    expect(end.stdout).toContain('RESULT   ROWS  SHARE\nvalid    3     50.0 %\ninvalid  3     50.0 %\nall      6\n');
    expect(end.stdout).toContain(
      `different entries  5\nrows written       6\noutput             ${pathOf('out.csv')}\n`,
    );
    expect(readdirSync(folder).sort()).toEqual(['leads.csv', 'out.csv']);
    const lines = end.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { done: number; total: number });
    expect(lines.at(-1)).toMatchObject({ done: 5, total: 5 });
  });

  it('writes rows of one kind, and prints its summary as JSON', async () => {
    const { code, stdout } = await verifyFile(
      given('leads.csv', LEADS),
      '--out',
      pathOf('out.csv'),
      '--only',
      'undeliverable',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 6,
      entries: 5,
      only: 'undeliverable',
      written: 3,
      failed: 0,
      results: { valid: 3, invalid: 3, unknown: 0 },
    });
    expect(
      written('out.csv')
        .split('\r\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['Name', 'Nobody', 'Null', 'Broken', '']);
  });

  it('tells catch-all domains in the mode enhanced', async () => {
    const leads = given('leads.txt', 'ada@company.example\nanyone@catch-all.example\n');
    expect((await verifyFile(leads, '--out', pathOf('out.csv'), '--mode', 'enhanced')).code).toBe(0);
    expect(written('out.csv')).toBe(
      'ada@company.example,valid,mailbox_accepts,true,allow,0.95,,\n' +
        'anyone@catch-all.example,catch_all,catch_all_domain,,review,0.5,,\n',
    );
  });

  it('asks about greylisted addresses once more, after the time that their host named', async () => {
    const leads = given('leads.txt', 'one@grey.example\n');
    expect((await verifyFile(leads, '--out', pathOf('out.csv'))).code).toBe(0);
    expect(written('out.csv')).toBe('one@grey.example,valid,mailbox_accepts,true,allow,0.95,,\n');
    expect(recipientsAsked(lab, ['mx.grey.example'])).toEqual(['one@grey.example', 'one@grey.example']);
  });

  it('writes to stdout, and its summary to stderr', async () => {
    const end = await verifyFile(given('leads.txt', 'ada@company.example\n'), '--out', '-');
    expect(end).toMatchObject({ code: 0, stdout: 'ada@company.example,valid,mailbox_accepts,true,allow,0.95,,\n' });
    expect(end.stderr).toMatch(/rows written {7}1\noutput {13}stdout\n/);
    expect(readdirSync(folder)).toEqual(['leads.txt']);
  });

  it('leaves addresses unknown when the name servers fail, exits with 3, and asks about them alone the next time', async () => {
    const leads = given('leads.txt', 'ada@company.example\nno address\n');
    setVariables({ DNS_SERVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100' });
    const end = await verifyFile(leads, '--out', pathOf('out.csv'));
    expect(end.code).toBe(3);
    expect(end.stdout).toMatch(/without a verdict {2}1, for a reason of our own: \S/);
    expect(written('out.csv')).toBe(
      'ada@company.example,unknown,,,review,,,\nno address,invalid,bad_syntax,false,deny,0,,\n',
    );
    setVariables({ DNS_SERVERS: lab.dnsServer });
    expect((await verifyFile(leads, '--out', pathOf('out.csv'))).code).toBe(0);
    expect(written('out.csv')).toContain('ada@company.example,valid,');
    expect(existsSync(pathOf('out.csv.journal'))).toBe(false);
  });
});

it('verify-file replaces no output that another run wrote while it read its list', async () => {
  const pipe = pathOf('pipe');
  spawnSync('mkfifo', [pipe]);
  const end = verifyFile(pipe, '--out', pathOf('out.csv'));
  // Opens once the run reads.
  const list = await open(pipe, 'w');
  given('out.csv', 'of another run');
  await list.writeFile('ada@company.example\n');
  await list.close();
  expect(await end).toMatchObject({ code: 1, stderr: expect.stringMatching(/out\.csv exists\. Name another file/) });
  expect(written('out.csv')).toBe('of another run');
  expect(readdirSync(folder).sort()).toEqual(['out.csv', 'pipe']);
});

describe('verify-file says what to type instead', () => {
  it.each([
    [{ input: 'other' }, /belongs to a run over another input\. To begin anew, type: rm \S+out\.csv\.journal\n$/],
    [{ mode: 'enhanced' }, /belongs to a run with --mode enhanced: type that to go on\. To begin anew, type: rm /],
    [{ column: 1 }, /belongs to a run with --column 1: type that to go on\. To begin anew, type: rm /],
    [{ journal: 99 }, /is no journal of this release\. To begin anew, type: rm /],
    [null, /is no journal of this release\. To begin anew, type: rm /],
  ])('about a journal with %j', async (other, sentence) => {
    const text = 'Id,Mail\n1,ada@company.example\n';
    const leads = given('leads.csv', text);
    const input = createHash('sha256').update(text).digest('hex');
    const head =
      other === null ? 'my own notes' : JSON.stringify({ journal: 1, input, mode: 'standard', column: 2, ...other });
    given('out.csv.journal', `${head}\n`);
    const { code, stderr } = await verifyFile(leads, '--out', pathOf('out.csv'));
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(written('out.csv.journal')).toBe(`${head}\n`);
  });
});

describe('the journal of verify-file', () => {
  it('has rows and facts, no address; what it has is not asked again, and a line that was cut is', async () => {
    const text = 'Id,Mail\n1,ada@company.example\n2,nemo@company.example\n3,grace@company.example\n';
    const leads = given('leads.csv', text);
    setVariables({ DNS_SERVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100' });
    await verifyFile(leads, '--out', pathOf('out.csv'));
    setVariables({ DNS_SERVERS: lab.dnsServer });
    const [head] = written('out.csv.journal').split('\n');
    expect(JSON.parse(head!)).toEqual({
      journal: 1,
      input: createHash('sha256').update(text).digest('hex'),
      mode: 'standard',
      column: 2,
    });
    const facts = { mailHosts: { kind: 'none', why: 'null_mx', ttlSeconds: 60 }, probe: null };
    const line = JSON.stringify({ row: 2, at: 1, facts });
    given('out.csv.journal', `${head}\n${line}\n${line.replace('2', '4').slice(0, -20)}`);
    const before = recipientsAsked(lab, ['mx.company.example']).length;
    expect((await verifyFile(leads, '--out', pathOf('out.csv'))).code).toBe(0);
    expect(recipientsAsked(lab, ['mx.company.example']).slice(before).sort()).toEqual([
      'grace@company.example',
      'nemo@company.example',
    ]);
    expect(
      written('out.csv')
        .split('\n')
        .slice(1, 4)
        .map((row) => row.split(',')[3]),
    ).toEqual(['no_mx', 'mailbox_not_found', 'mailbox_accepts']);
  });
});

describe('verify-file on a full disk', () => {
  afterEach(() => jest.restoreAllMocks());

  /** From this journal line on, half of a line has room. */
  function fillsUpAt(nth: number): void {
    const { writeSync } = fs;
    let lines = 0;
    let isFull = false;
    jest.spyOn(fs, 'writeSync').mockImplementation(((
      file: number,
      line: Buffer,
      from: number,
      length: number,
      at: number,
    ) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      isFull = ++lines === nth;
      return writeSync(file, line, from, isFull ? Math.floor(length / 2) : length, at);
    }) as typeof fs.writeSync);
  }

  it.each([1, 2, 4])('stops at line %d of its journal, says why, and goes on from there', async (nth) => {
    const addresses = ['ada', 'grace', 'nemo', 'omar'].map((name) => `${name}@company.example`);
    const leads = given('leads.csv', `Mail\n${addresses.join('\n')}\n`);
    const asked = (): string[] => recipientsAsked(lab, ['mx.company.example']).filter((one) => addresses.includes(one));
    const before = asked().length;
    fillsUpAt(nth);
    const full = await verifyFile(leads, '--out', pathOf('out.csv'));
    jest.restoreAllMocks();
    expect([full.code, full.stderr]).toEqual([
      3,
      expect.stringMatching(/error: \S+out\.csv\.journal can't be written: no space is left on the device/),
    ]);
    expect(existsSync(pathOf('out.csv'))).toBe(false);
    const noted = written('out.csv.journal').split('\n').slice(1, -1).length;
    expect(noted).toBe(Math.max(0, nth - 2));
    const inVain = asked().length - before;
    expect((await verifyFile(leads, '--out', pathOf('out.csv'))).code).toBe(0);
    expect(asked().length - before - inVain).toBe(addresses.length - noted);
    expect(
      written('out.csv')
        .split('\n')
        .map((row) => row.split(',').slice(0, 3).join()),
    ).toEqual([
      'Mail,mailvet_result,mailvet_reason',
      ...addresses.map((one, i) => `${one},${i < 2 ? 'valid,mailbox_accepts' : 'invalid,mailbox_not_found'}`),
      '',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['leads.csv', 'out.csv']);
  });
});

describe('verify-file finds', () => {
  const LEADS = 'Id,Mail\n1,ada@company.example\n';

  it('another run that writes the same output, and takes over the lock of one that was killed', async () => {
    const leads = given('leads.csv', LEADS);
    const release = await lockOutput(pathOf('out.csv'));
    const lock = written('out.csv.lock');
    given('out.csv.lock', lock.replace(/^\d+/, String(process.ppid)));
    const refused = await verifyFile(leads, '--out', pathOf('out.csv'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^error: process \d+ is writing the same output\. Wait for it; if it is another program, type: rm .*out\.csv\.lock\n$/,
    );
    const { pid } = spawnSync(process.execPath, ['--version']);
    given('out.csv.lock', lock.replace(/^\d+/, String(pid)));
    expect((await verifyFile(leads, '--out', pathOf('out.csv'))).code).toBe(0);
    await release();
    expect(readdirSync(folder).sort()).toEqual(['leads.csv', 'out.csv']);
  });

  it('port 25 closed, says so at once, and asks the DNS alone if told to', async () => {
    const leads = given('leads.csv', LEADS);
    setVariables({ SMTP_CHECK_DOMAINS: 'shut1.example,shut2.example' });
    const closed = await verifyFile(leads, '--out', pathOf('out.csv'));
    expect(closed.code).toBe(3);
    expect(closed.stderr).toMatch(
      /error: no mail host can be reached: outgoing port 25 is closed\. Open it, or type --mode quick/,
    );
    expect(readdirSync(folder)).toEqual(['leads.csv']);
    expect((await verifyFile(leads, '--out', pathOf('out.csv'), '--mode', 'quick')).code).toBe(0);
    expect(written('out.csv')).toBe(`Id,Mail,${NAMES}\n1,ada@company.example,unknown,,,review,,,\n`);
  });
});
