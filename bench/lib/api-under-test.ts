/** The service that an HTTP bench measures, started by `npm run bench`. */
export interface ApiUnderTest {
  readonly url: string;
  /** A live key without limits. */
  readonly key: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /**
   * Process ids by name (`main`, `worker`, `mariadb`, `redis`, `laboratory`) of the processes started for the bench.
   */
  readonly pids: Readonly<Record<string, number>>;
  /** The environment of the service. */
  readonly environment: Readonly<Record<string, string>>;
}

export function apiUnderTest(): ApiUnderTest {
  return {
    url: required('BENCH_API_URL'),
    key: required('BENCH_API_KEY'),
    databaseUrl: required('BENCH_DATABASE_URL'),
    redisUrl: required('BENCH_REDIS_URL'),
    pids: JSON.parse(required('BENCH_PIDS')) as Record<string, number>,
    environment: JSON.parse(required('BENCH_API_ENVIRONMENT')) as Record<string, string>,
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this with npm run bench`);
  return value;
}
