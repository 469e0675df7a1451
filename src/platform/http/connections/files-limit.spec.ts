import type { Log } from '../../logging/log.js';
import { limitsOfProcess, limitsWithin, openFilesLimit } from './files-limit.js';

it.each([
  [Infinity, 10_000],
  [12_000, 10_000],
  [11_999, 9999],
  [4096, 2096],
  [1024, 512],
])('a process that may open %d files takes %d connections', (files, connections) => {
  expect(limitsWithin(files).connections).toBe(connections);
});

it('warns only where there are fewer for that reason', () => {
  const warn = jest.fn();
  const log = { warn } as unknown as Log;
  limitsOfProcess(log, 1_048_576);
  expect(warn).not.toHaveBeenCalled();
  limitsOfProcess(log, 1024);
  expect(warn).toHaveBeenCalledWith({ files: 1024, connections: 512 }, expect.stringContaining('LimitNOFILE'));
});

it('reads how many files this process may open, where the system tells', () => {
  const limits =
    'Limit      Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files';
  expect(openFilesLimit(() => limits)).toBe(1024);
  expect(openFilesLimit(() => 'Max open files  unlimited  unlimited  files')).toBe(Infinity);
  expect(
    openFilesLimit(() => {
      throw new Error('ENOENT');
    }),
  ).toBe(Infinity);
});
