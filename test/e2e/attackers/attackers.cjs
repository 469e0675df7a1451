'use strict';

/**
 * Everybody who tries to stop the service, in a process of their own so that what they compute is not measured with the honest
 * customer. Starts on the message `{ url, liveKeys, testKey }`, goes on until its parent disconnects, and answers `counts` with
 * how often each attack was made: an attack that never got through attacks nobody.
 */
const net = require('node:net');
const { setTimeout: delay } = require('node:timers/promises');

const MIB = 1024 * 1024;
const counts = {};

process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
  else start(message);
});
process.on('disconnect', () => process.exit(0));

function start({ url, liveKeys, testKey }) {
  const { hostname, port } = new URL(url);
  const target = { url, host: hostname, port: Number(port), liveKeys, testKey };
  const attacks = {
    paddedJobs,
    stalledReaders,
    pipelined,
    silentConnections,
    slowHeaders,
    bodiesWithoutKey,
    guessedKeys,
    hangUps,
    crowdAtOneHost,
    wildcardNames,
    largeSandboxJobs,
    healthFlood,
    hostileRecords,
  };
  for (const [name, attack] of Object.entries(attacks)) {
    counts[name] = 0;
    void attack(target, () => (counts[name] += 1));
  }
}

/** Runs `act` again and again, `pauseMs` after it ended; whatever becomes of it. */
async function over(pauseMs, act) {
  for (;;) {
    await act().catch(() => undefined);
    await delay(pauseMs);
  }
}

async function ask({ url }, path, key, body, further = {}) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    ...further,
  });
  return { status: response.status, text: await response.text() };
}

/** 8 MiB in which the call takes next to nothing. */
function paddedJobs(target, count) {
  const emails = Array.from({ length: 10_000 }, (_, i) => `a${i}@e.io`);
  const head = `{"emails":${JSON.stringify(emails)},"x":[`;
  const padding = '{},'.repeat(Math.floor((8 * MIB - head.length - 10) / 3));
  const body = Buffer.from(`${head}${padding}{}]}`);
  const one = () => ask(target, '/v1/verify/jobs', target.testKey, body).then(count);
  return Promise.all([over(700, one), over(700, one)]);
}

/** Asks for 10,000 results and reads none of them. */
async function stalledReaders(target, count) {
  const submitted = await ask(target, '/v1/verify/jobs', target.testKey, {
    emails: Array.from({ length: 10_000 }, (_, i) => `reader-${i}@example.com`),
  });
  const { id } = JSON.parse(submitted.text);
  await over(400, async () => {
    const socket = net.connect(target.port, target.host);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET /v1/verify/jobs/${id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${target.testKey}\r\n\r\n`);
    count();
  });
}

/** Hundreds of requests at once on a connection that is gone before the first answer. */
function pipelined(target, count) {
  const request = `GET /v1/credits HTTP/1.1\r\nHost: x\r\nX-API-Key: ${target.testKey}\r\n\r\n`;
  return over(300, async () => {
    for (let i = 0; i < 5; i++) {
      const socket = net.connect(target.port, target.host, () => {
        socket.write(request.repeat(500), () => socket.destroy());
        count();
      });
      socket.on('error', () => undefined);
    }
  });
}

function silentConnections(target, count) {
  return over(50, async () => {
    const socket = net.connect({ port: target.port, host: target.host, allowHalfOpen: true }, count);
    socket.on('error', () => undefined);
    await delay(1);
  });
}

/** A header that never ends, an octet at a time. */
function slowHeaders(target, count) {
  return over(200, async () => {
    const socket = net.connect({ port: target.port, host: target.host, allowHalfOpen: true }, () => {
      socket.write('GET /v1/credits HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('a'), 1000);
      socket.on('close', () => clearInterval(timer));
      count();
    });
    socket.on('error', () => undefined);
  });
}

/** A body of 9 MiB, sent whatever is answered. */
function bodiesWithoutKey(target, count) {
  const body = Buffer.alloc(9 * MIB, 0x20);
  return over(1500, async () => {
    const socket = net.connect(target.port, target.host, () => {
      socket.write(
        `POST /v1/verify/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      count();
    });
    socket.on('error', () => undefined).resume();
  });
}

/** Keys of the right form that nobody has. */
function guessedKeys(target, count) {
  return over(100, async () => {
    await ask(target, '/v1/credits', `mv_live_${Math.random().toString(36).repeat(4).slice(2, 40)}`);
    count();
  });
}

/** Singles to hosts that never greet, given up after a second. */
function hangUps(target, count) {
  let made = 0;
  return Promise.all(
    target.liveKeys.map((key) =>
      over(1000, async () => {
        count();
        const email = `gone-${(made += 1)}@mute${made % 20}.example`;
        await ask(target, '/v1/verify/single', key, { email }, { signal: AbortSignal.timeout(1000) });
      }),
    ),
  );
}

/** Thirty at once about one host. */
function crowdAtOneHost(target, count) {
  let made = 0;
  return over(2000, () =>
    Promise.all(
      Array.from({ length: 30 }, async () => {
        await ask(target, '/v1/verify/single', target.liveKeys[0], { email: `crowd-${(made += 1)}@shared.example` });
        count();
      }),
    ),
  );
}

/** Each name of a wildcard zone is a domain that was never seen. */
function wildcardNames(target, count) {
  let made = 0;
  return over(1000, async () => {
    const emails = Array.from({ length: 100 }, () => `a@n${(made += 1)}.wild.example`);
    await ask(target, '/v1/verify/batch', target.liveKeys[1], { emails, mode: 'quick' });
    count();
  });
}

function largeSandboxJobs(target, count) {
  const emails = Array.from({ length: 10_000 }, (_, i) => `${i}${'x'.repeat(700)}@example.com`);
  const body = JSON.stringify({ emails });
  return over(1500, async () => {
    await ask(target, '/v1/verify/jobs', target.testKey, body);
    count();
  });
}

function healthFlood(target, count) {
  return over(20, async () => {
    await Promise.all([ask(target, '/health/ready', ''), ask(target, '/health/live', '')]);
    count();
  });
}

/** Domains whose TXT records are as long as the DNS can carry. */
function hostileRecords(target, count) {
  let made = 0;
  return over(1000, async () => {
    const email = `a@h${(made += 1)}.hostile.example`;
    await ask(target, '/v1/verify/single', target.liveKeys[2], { email, mode: 'quick' });
    count();
  });
}
