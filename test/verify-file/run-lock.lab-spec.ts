import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-lock-'));
  out = join(folder, 'out.csv');
  lock = `${out}.lock`;
});
afterEach(() => rmSync(folder, { recursive: true }));

const taken = () => lockOutput(out);
const isOthers = { message: expect.stringContaining(`process ${other} is writing the same output`) as string };

it('holds the process of its run, and is gone at the end', async () => {
  const release = await taken();
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
  await release();
  expect(readdirSync(folder)).toEqual([]);
});

it('of a run that was killed is taken over, also where the run had not written its process yet', async () => {
  for (const text of [String(NOBODY), '']) {
    writeFileSync(lock, text);
    const release = await taken();
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
    await release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

it('of a run that began at the same moment is left to it', async () => {
  writeFileSync(lock, '');
  setTimeout(() => writeFileSync(lock, String(other)), 100);
  await expect(taken()).rejects.toMatchObject(isOthers);
  expect(readdirSync(folder)).toEqual(['out.csv.lock']);
});

it('that another run takes over at the same moment is left to it', async () => {
  writeFileSync(lock, String(NOBODY));
  const kill = jest.spyOn(process, 'kill').mockImplementationOnce(() => {
    rmSync(lock);
    writeFileSync(lock, String(other));
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  await expect(taken()).rejects.toMatchObject(isOthers);
  kill.mockRestore();
  expect(readFileSync(lock, 'utf8')).toBe(String(other));
  expect(existsSync(`${lock}.${process.pid}`)).toBe(false);
});
