import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { startOperator, type Operator } from '../support/operator.js';

let database: MigratedDatabase;
let operator: Operator;
beforeAll(async () => {
  database = await createMigratedDatabase();
  operator = startOperator({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await operator.stop();
  await database.drop();
});

const cli = (...argv: string[]) => operator.run(...argv);
const rows = async <T>(text: string): Promise<T[]> => database.dataSource.query<T[]>(text);

describe('cache purge', () => {
  beforeEach(async () => {
    for (const [number, domain] of ['xn--mller-kva.test', 'xn--mller-kva.test', 'example.com'].entries()) {
      await database.dataSource.query(
        `INSERT INTO cached_checks VALUES (UNHEX(SHA2(?, 256)), 1, ?, 'standard', '{}', 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))
          ON DUPLICATE KEY UPDATE domain = VALUES(domain)`,
        [number, domain],
      );
      await database.dataSource.query(
        'INSERT IGNORE INTO catch_all_domains VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)',
        [domain],
      );
    }
  });

  it('deletes the checks of a domain in any spelling and its catch-all state, and writes an audit row', async () => {
    const { code, stdout, stderr } = await cli('cache', 'purge', '--domain', 'MÜLLER.test', '--json');
    expect([code, stdout, stderr]).toEqual([0, '{"purged":2}\n', '']);
    expect(await rows('SELECT domain FROM cached_checks')).toEqual([{ domain: 'example.com' }]);
    expect(await rows('SELECT domain FROM catch_all_domains')).toEqual([{ domain: 'example.com' }]);
    expect(await rows("SELECT actor, subject, account_id FROM audit_log WHERE action = 'cache.purge'")).toEqual([
      { actor: expect.stringMatching(/^operator:/), subject: 'xn--mller-kva.test', account_id: null },
    ]);
  });

  it('prints the number in plain text', async () => {
    expect((await cli('cache', 'purge', '--domain', 'example.com')).stdout).toBe('Forgot 1 check of example.com.\n');
    expect((await cli('cache', 'purge', '--domain', 'example.com')).stdout).toBe('Forgot 0 checks of example.com.\n');
  });

  it.each([
    [['--domain', 'ann@example.com'], '--domain <domain>: must be a domain, such as example.com'],
    [['--domain', 'example'], '--domain <domain>: must be a domain, such as example.com'],
    [[], "required option '--domain <domain>' not specified"],
  ])('deletes nothing without a domain: %j', async (given, message) => {
    const { code, stdout, stderr } = await cli('cache', 'purge', ...given);
    expect([code, stdout, stderr]).toEqual([1, '', `error: ${message}. Type: node dist/cli cache purge --help\n`]);
    expect(await rows('SELECT 1 FROM cached_checks')).toHaveLength(3);
  });
});
