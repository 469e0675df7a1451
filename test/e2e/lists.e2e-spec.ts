import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { published, startListServer, type ListServer } from '../domains/support/list-server.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { runProcess } from '../support/processes.js';
import { startProduct, type Product } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

const ROOT = join(__dirname, '../..');

const world = joinWorlds(domainWithHost('fresh-throw-away.example', { recipients: { ada: ACCEPTED } }));

describe('lists fetched at run time', () => {
  let lab: Laboratory;
  let lists: ListServer;
  let product: Product;
  beforeAll(async () => {
    lab = await startLaboratory(world);
    lists = await startListServer(published('fresh-throw-away.example\nanother.example\n'));
    product = await startProduct({
      ...laboratoryEnvironment(lab),
      LIST_URLS: `disposable=http://127.0.0.1:${lists.port}/domains.txt?token=a-secret-of-ours`,
    });
  });
  afterAll(async () => {
    await product?.close();
    await lists?.close();
    await lab?.stop();
  });

  it('by a worker are used by API, worker and command, and shown in the metrics', async () => {
    const key = await product.createKey('live');
    const api = await product.startApi();
    const email = 'ada@fresh-throw-away.example';
    expect((await api.verify(key, { email })).body).toMatchObject({ result: 'valid', disposable: false });

    const worker = await product.startWorker({ WORKER_QUEUES: 'maintenance' });
    const disposable = await waitUntil(async () => (await api.verify(key, { email })).body['result'] === 'disposable', {
      ms: 60_000,
      everyMs: 200,
    });
    expect(disposable).toBe(true);
    const shown = await product.cli<{ result: string }>('verify', email);
    expect(shown).toMatchObject({ result: 'disposable', reason: 'disposable_provider' });

    const [status] = await product.cli<{ list: string; fetched: Record<string, unknown> }[]>('list', 'status');
    expect(status).toMatchObject({
      list: 'disposable',
      shipped: [{ version: expect.any(String) as string }, { dated: expect.any(String) as string }],
      fetched: { configured: true, entries: 2, refused_at: null, source: expect.stringContaining('?…') as string },
    });
    const metrics = async (): Promise<string> => (await fetch(`${worker.url}/metrics`)).text();
    const entries = await waitUntil(async () => /mailvet_list_entries\{list="disposable"\} 2\n/.test(await metrics()), {
      ms: 60_000,
    });
    expect(entries).toBe(true);
    expect(await metrics()).toMatch(/mailvet_list_age_seconds\{list="disposable"\} \d/);
    expect(await metrics()).toMatch(/mailvet_list_refreshes_total\{list="disposable",outcome="changed"\} 1/);

    for (const { process } of [api, worker]) expect(process.output()).not.toContain('a-secret-of-ours');
    expect(JSON.stringify(status)).not.toContain('a-secret-of-ours');
  });

  it('by the command are accepted or refused immediately', async () => {
    lists.answer = published('gmail.com\nfresh-throw-away.example\nanother.example\n', '"bad"');
    const refused = await runProcess(['dist/cli', 'list', 'refresh', '--json'], product.environment);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toEqual([
      { list: 'disposable', outcome: 'refused', why: 'names_known_good', refusal: 'it names gmail.com' },
    ]);
    lists.answer = published('fresh-throw-away.example\nanother.example\nthird.example\n', '"good"');
    expect(await product.cli('list', 'refresh', 'disposable')).toEqual([
      { list: 'disposable', outcome: 'changed', entries: 3, passed_over: 0 },
    ]);
    expect(await product.cli('list', 'drop', 'disposable')).toEqual({ list: 'disposable', outcome: 'dropped' });
    expect(await product.cli('verify', 'ada@fresh-throw-away.example')).toMatchObject({ result: 'valid' });
  });

  it('must be named exactly', async () => {
    const env = { ...product.environment, LIST_URLS: 'throwaway=https://lists.example.com/a-secret-of-ours' };
    const { code, stderr } = await runProcess(['dist/worker'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^LIST_URLS: entry 1 must be <name>=<URL>, with a name of disposable, /m);
    expect(stderr).not.toContain('a-secret-of-ours');
  });
});

describe('the shipped lists', () => {
  const MEASURE = `
    const mb = ({ heapUsed, external }) => (heapUsed + external) / 1e6;
    gc(); gc();
    const before = { memory: process.memoryUsage(), cpu: process.cpuUsage(), at: performance.now() };
    const { loadSignalLists } = require('./dist/signal-lists.js');
    const lists = loadSignalLists();
    const cpu = process.cpuUsage(before.cpu);
    const ms = performance.now() - before.at;
    gc(); gc();
    const after = process.memoryUsage();
    const known = lists.isDisposableDomain('mailinator.com') && !lists.isDisposableDomain('gmail.com');
    console.log(JSON.stringify({ known, ms, cpuMs: (cpu.user + cpu.system) / 1000,
      mb: mb(after) - mb(before.memory), rssMb: (after.rss - before.memory.rss) / 1e6 }));`;
  const measure = async (): Promise<Record<'ms' | 'cpuMs' | 'mb' | 'rssMb', number> & { known: boolean }> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', MEASURE], {
      cwd: ROOT,
      env: {},
    });
    return JSON.parse(stdout) as Awaited<ReturnType<typeof measure>>;
  };

  it('are loaded in less than 300 ms of CPU time and 60 MB', async () => {
    // What else the machine does slows a process down in its own time too: the best of some tells.
    let measured = await measure();
    for (let tries = 1; measured.cpuMs >= 300 && tries < 5; tries++) measured = await measure();
    const { ms, cpuMs, mb, rssMb } = measured;
    process.stdout.write(
      `all lists: loaded in ${Math.round(ms)} ms (${Math.round(cpuMs)} ms of CPU time), ` +
        `${mb.toFixed(1)} MB kept, the process grew by ${rssMb.toFixed(1)} MB\n`,
    );
    expect(measured.known).toBe(true);
    expect(cpuMs).toBeLessThan(300);
    expect(mb).toBeLessThan(60);
    expect(rssMb).toBeLessThan(60);
  });
});
