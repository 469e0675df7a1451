/**
 * node scripts/production-check.mjs [NAME]: does the steps of docker/Dockerfile without a container engine. From a
 * clean copy of the files that .dockerignore admits: install what production needs, build (with the packages that are
 * installed here); then, as a user without write access, migrate, API, worker and console, their health checks, one
 * sandbox call, SIGTERM. Exit code 0 only if all processes exit with 0.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextFiles } from './lib/docker-context.mjs';
import { freePort } from './lib/free-port.mjs';
import { megabytes, packagesIn } from './lib/installed-size.mjs';
import { npmCi, npmRun } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { bringUpServers } from './lib/private-servers.mjs';
import { ProductionRun } from './lib/production-run.mjs';
import { runScript } from './lib/run-script.mjs';
import { say, step } from './lib/say.mjs';
import { Trouble } from './lib/trouble.mjs';
import { verifySingle } from './lib/verify.mjs';

await runScript(process.argv[2] ?? 'production-check', async ({ folder, keeper }) => {
  say('Mailvet production check');
  const logs = join(folder, 'logs');
  const build = join(folder, 'build');
  // Outside the folder of the run, which only its owner may enter.
  const image = mkdtempSync(join(tmpdir(), 'mailvet-image-'));
  try {
    rmSync(build, { recursive: true, force: true });
    const files = contextFiles();
    const copy = (some) => some.forEach((file) => cpSync(join(root, file), join(build, file)));
    const inBuild = (log) => ({ cwd: build, env: { NODE_ENV: '' }, log: join(logs, log) });
    // Without the folders of the workspaces npm installs none of their packages.
    copy(['package.json', 'package-lock.json']);
    await step('npm ci --omit=dev', async () => {
      const place = inBuild('production-ci.log');
      if (!(await npmCi(keeper, { name: 'ci', args: ['--omit=dev', '--prefer-offline'], ...place })))
        throw new Trouble('npm ci --omit=dev failed.', place);
    });
    move(join(build, 'node_modules'), join(image, 'node_modules'));
    copy(files);
    for (const part of ['', 'web']) symlinkSync(join(root, part, 'node_modules'), join(build, part, 'node_modules'));
    await step(`Building a copy of ${files.length} files`, async () => {
      const place = inBuild('production-build.log');
      if ((await keeper.run({ ...npmRun('build', 'build'), ...place })).code !== 0)
        throw new Trouble('npm run build failed.', place);
    });
    for (const part of ['package.json', 'dist']) move(join(build, part), join(image, part));
    cpSync(join(build, 'docker', 'healthcheck.mjs'), join(image, 'healthcheck.mjs'));
    for (const part of ['package.json', 'dist']) {
      cpSync(join(build, 'web', part), join(image, 'web', part), { recursive: true });
    }
    makeReadOnly(image);
    say(
      `  node_modules: ${packagesIn(image)} packages, ${megabytes(join(image, 'node_modules'))} MB; ` +
        `dist: ${megabytes(join(image, 'dist'))} MB`,
    );

    const { databaseUrl, redisUrl } = await bringUpServers(keeper, { folder, database: 'mailvet_production' });
    const ports = {
      PORT: String(await freePort()),
      WORKER_PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      CONSOLE_PORT: String(await freePort()),
      CONSOLE_METRICS_PORT: '0',
    };
    const run = await ProductionRun.open(keeper, image, logs, {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      HOST: '127.0.0.1',
      ADDRESS_HASH_SECRET: `1:${randomBytes(24).toString('hex')}`,
      SMTP_HELO_NAME: 'verify.mailvet.test',
      SMTP_CHECK_DOMAINS: 'none',
      SHUTDOWN_DELAY_MS: '0',
      ...ports,
    });
    say(`  Everything below runs ${run.asWhom}.`);
    await step('Migrating', () => run.toEnd('migrate', ['dist/cli', 'migrate']));
    await step('API, worker and console', () =>
      Promise.all([
        run.start('main', ports.PORT),
        run.start('worker', ports.WORKER_PORT),
        run.start('console', ports.CONSOLE_PORT),
      ]),
    );
    await step('Health checks of the image', () =>
      Promise.all(['main', 'worker', 'console'].map((role) => run.toEnd(`health-${role}`, ['healthcheck.mjs', role]))),
    );
    await step('The description of the API', async () => {
      for (const path of ['/openapi.json', '/docs']) {
        const { status } = await fetch(`http://127.0.0.1:${ports.PORT}${path}`);
        if (status !== 200) throw new Trouble(`${path} was answered ${status}.`);
      }
    });
    await step('The page of the console', async () => {
      const page = await fetch(`http://127.0.0.1:${ports.CONSOLE_PORT}/`);
      if (!(await page.text()).includes('<script'))
        throw new Trouble(`It was answered ${page.status}, without the page.`);
    });
    await step('A sandbox call', async () => {
      const account = await run.json(['account', 'create', '--name', 'Check', '--plan', 'free']);
      const { key } = await run.json(['key', 'create', account.id, '--mode', 'test']);
      const { status, body } = await verifySingle(
        { url: `http://127.0.0.1:${ports.PORT}`, key },
        { email: 'valid@example.com' },
      );
      if (status !== 200 || body.result !== 'valid') throw new Trouble(`The sandbox call was answered ${status}.`);
    });
    await step('SIGTERM', () => Promise.all(['main', 'worker', 'console'].map((name) => run.stop(name))));
    const written = await run.written();
    if (written.length > 0) throw new Trouble(`The processes wrote files: ${written.join(', ')}`);
    say('  All processes ended with 0, and nothing was written.');
    return 0;
  } finally {
    rmSync(build, { recursive: true, force: true });
    rmSync(image, { recursive: true, force: true });
  }
});

/** The folder for temporary files may be on another disk. */
function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Everybody may enter folders and read files; nobody may write. */
function makeReadOnly(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadOnly(path);
    else if (entry.isFile()) chmodSync(path, 0o444);
  }
  chmodSync(folder, 0o755);
}
