import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface SoakOptions {
  readonly url: string;
  /** A live key without limits, of an account with credits. */
  readonly key: string;
  /** A domain whose mail host accepts every recipient. */
  readonly domain: string;
  /** Watched processes, by name. */
  readonly pids: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Concurrent requests. */
  readonly lanes?: number;
  /** Pause between two requests of a lane: a soak tests duration, not the limit. */
  readonly pauseMs?: number;
}

/** Resources of a process at one moment. */
export interface Sample {
  readonly rssMb: number;
  /** Open file descriptors, sockets included. */
  readonly files: number;
}

export interface Soaked {
  readonly requests: number;
  /** The first few wrong answers. */
  readonly errors: readonly string[];
  readonly jobsCompleted: number;
  /** By process, in time order, at equal intervals. */
  readonly samples: Readonly<Record<string, Sample[]>>;
}

const SAMPLES = 30;
const JOB_WITHIN_MS = 120_000;

/**
 * Mixed customer traffic in a loop: mostly cached answers, some probes by the API, some by the worker, jobs from
 * submit to deletion, events, and mistakes. Every answer must be right.
 */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { seconds, lanes = 8, pids } = options;
  const until = performance.now() + seconds * 1000;
  const caller = new Caller(options);
  const samples = Object.fromEntries(Object.keys(pids).map((name) => [name, [] as Sample[]]));
  const watch = async (): Promise<void> => {
    for (let i = 0; i < SAMPLES; i += 1) {
      await delay((seconds * 1000) / SAMPLES);
      for (const [name, pid] of Object.entries(pids)) samples[name]?.push(sampleOf(pid));
    }
  };
  const lane = async (number: number): Promise<void> => {
    for (let turn = number; performance.now() < until; turn += 1) {
      await caller.one(turn);
      await delay(options.pauseMs ?? 20);
    }
  };
  await Promise.all([watch(), jobs(caller, until), ...Array.from({ length: lanes }, (_, i) => lane(i * 7))]);
  return { requests: caller.requests, errors: caller.errors, jobsCompleted: caller.jobsCompleted, samples };
}

/** Reads the resources of a process. Linux only. */
export function sampleOf(pid: number): Sample {
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { rssMb: rssKb / 1000, files: readdirSync(`/proc/${pid}/fd`).length };
}

async function jobs(caller: Caller, until: number): Promise<void> {
  while (performance.now() < until) {
    await caller.job();
    await delay(1000);
  }
}

class Caller {
  requests = 0;
  jobsCompleted = 0;
  readonly errors: string[] = [];
  private made = 0;

  constructor(private readonly options: SoakOptions) {}

  /** Sends one request; its turn decides the kind. */
  async one(turn: number): Promise<void> {
    const known = `known-${turn % 50}@${this.options.domain}`;
    switch (turn % 20) {
      case 0:
        return this.expect('a batch', 200, 'POST', '/v1/verify/batch', { emails: [this.fresh(), this.fresh(), known] });
      case 1:
      case 2:
        return this.expect('a fresh single', 200, 'POST', '/v1/verify/single', { email: this.fresh() });
      case 3:
        return this.expect('an async single', 200, 'POST', '/v1/verify/single', { email: this.fresh(), async: true });
      case 4:
        return this.expect('no address', 200, 'POST', '/v1/verify/single', { email: 'no address' });
      case 5:
        return this.expect('a broken rule', 422, 'POST', '/v1/verify/single', { email: 5 });
      case 6:
        return this.expect('nothing there', 404, 'GET', '/v1/nothing');
      case 7:
        return this.expect('credits', 200, 'GET', '/v1/credits');
      case 8:
        return this.expect('an event', 202, 'POST', '/v1/guard/events', { events: [EVENT] });
      case 9:
        return this.expect('jobs', 200, 'GET', '/v1/verify/jobs');
      case 10:
      case 11:
        return this.expect('a quick single', 200, 'POST', '/v1/verify/single', { email: known, mode: 'quick' });
      default:
        return this.expect('a known single', 200, 'POST', '/v1/verify/single', { email: known });
    }
  }

  /** Runs a job from its submit to its deletion. */
  async job(): Promise<void> {
    const emails = Array.from({ length: 100 }, () => this.fresh());
    const submitted = await this.ask('POST', '/v1/verify/jobs', { emails });
    if (submitted?.status !== 202) return this.wrong(`a job was answered ${submitted?.status}`);
    const path = `/v1/verify/jobs/${String(submitted.body['id'])}`;
    const within = performance.now() + JOB_WITHIN_MS;
    while (performance.now() < within) {
      await delay(200);
      const read = await this.ask('GET', path);
      if (read?.status !== 200) return this.wrong(`a job that is read was answered ${read?.status}`);
      if (read.body['status'] !== 'completed') continue;
      this.jobsCompleted += 1;
      const deleted = await this.ask('DELETE', path);
      if (deleted?.status !== 204) this.wrong(`a deletion was answered ${deleted?.status}`);
      return;
    }
    this.wrong('a job was not completed in time');
  }

  private fresh(): string {
    return `fresh-${Date.now().toString(36)}-${(this.made += 1)}@${this.options.domain}`;
  }

  private async expect(what: string, status: number, method: string, path: string, body?: unknown): Promise<void> {
    const answer = await this.ask(method, path, body);
    if (answer?.status !== status)
      this.wrong(`${what} was answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  }

  private async ask(method: string, path: string, body?: unknown) {
    this.requests += 1;
    try {
      const response = await fetch(this.options.url + path, {
        method,
        headers: {
          'x-api-key': this.options.key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
    } catch (error) {
      this.wrong(`${method} ${path}: ${String(error)}`);
      return null;
    }
  }

  private wrong(what: string): void {
    if (this.errors.length < 20) this.errors.push(what);
  }
}

const EVENT = {
  verdict: 'valid',
  action: 'allow',
  source: 'local',
  reasons: [],
  degraded: false,
  domain: 'example.com',
};
