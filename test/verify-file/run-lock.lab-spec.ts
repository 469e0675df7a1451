import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockOutput } from '../../src/verify-file/run-lock.js';

/** Higher than any process id of Linux. */
const NOBODY = 2 ** 22 + 1;
/** Another program that runs. */
const other = process.ppid;

let folder: string;
let out: string;
let lock: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-lock-'));
  out = join(folder, 'out.csv');
  lock = `${out}.lock`;
  const release = await taken();
  here = readFileSync(lock, 'utf8').split('\n')[1]!;
  await release();
});
afterEach(() => rmSync(folder, { recursive: true }));

const taken = () => lockOutput(out, 2500);
const holderIn = (text: string) => Number(text.split('\n')[0]);
/** What a lock of this machine says of where its process is. */
let here: string;
const isOthers = { message: expect.stringContaining(`process ${other} is writing the same output`) as string };

it('holds the process of its run, and is gone at the end', async () => {
  const release = await taken();
  expect(holderIn(readFileSync(lock, 'utf8'))).toBe(process.pid);
  await release();
  expect(readdirSync(folder)).toEqual([]);
});

it('of a run that was killed is taken over, also where the run had not written its process yet', async () => {
  for (const text of [`${NOBODY}\n${here}`, String(NOBODY), '']) {
    writeFileSync(lock, text);
    const release = await taken();
    expect(holderIn(readFileSync(lock, 'utf8'))).toBe(process.pid);
    await release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

it('of a run that began at the same moment is left to it', async () => {
  writeFileSync(lock, '');
  setTimeout(() => writeFileSync(lock, `${other}\n${here}`), 100);
  await expect(taken()).rejects.toMatchObject(isOthers);
  expect(readdirSync(folder)).toEqual(['out.csv.lock']);
});

it('that another run takes over at the same moment is left to it', async () => {
  writeFileSync(lock, `${NOBODY}\n${here}`);
  const kill = jest.spyOn(process, 'kill').mockImplementationOnce(() => {
    rmSync(lock);
    writeFileSync(lock, `${other}\n${here}`);
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  await expect(taken()).rejects.toMatchObject(isOthers);
  kill.mockRestore();
  expect(holderIn(readFileSync(lock, 'utf8'))).toBe(other);
  expect(readdirSync(folder)).toEqual(['out.csv.lock']);
});

/** The numbers of processes mean nothing there: one of this machine may have the same. */
describe.each([process.pid, other, NOBODY])('of a run with the number %d in another container or machine', (pid) => {
  it('is refused while that run goes on, and taken over once it was killed', async () => {
    const release = await taken();
    // The run goes on touching it.
    const text = `${pid}\nanother kernel`;
    writeFileSync(lock, text);
    await expect(taken()).rejects.toMatchObject({
      message: expect.stringContaining(`process ${pid} of another container or machine is writing the same`) as string,
    });
    // It is not its own any more, and stays.
    await release();
    expect(readFileSync(lock, 'utf8')).toBe(text);
    const releaseAgain = await taken();
    expect(holderIn(readFileSync(lock, 'utf8'))).toBe(process.pid);
    await releaseAgain();
    expect(readdirSync(folder)).toEqual([]);
  });
});
