import { AcceptedRecipientsRepository } from '../../src/domains/accepted/accepted-recipients.repository.js';
import { StoredAcceptedRecipients } from '../../src/domains/accepted/stored-accepted-recipients.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

const AT = { domain: 'example.com', host: 'mx.example.com', egressId: 'direct/verify.example.net' };

let database: MigratedDatabase;
let repository: AcceptedRecipientsRepository;
beforeAll(async () => {
  database = await createMigratedDatabase();
  repository = new AcceptedRecipientsRepository(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(async () => void (await database.dataSource.query('DELETE FROM accepted_recipients')));

/** Makes the known acceptances that old. */
const accepted = (ago: string): Promise<unknown> =>
  database.dataSource.query(`UPDATE accepted_recipients SET accepted_at = UTC_TIMESTAMP(3) - INTERVAL ${ago}`);

describe('accepted recipients', () => {
  it('are known to every process, for that domain, host and egress only', async () => {
    const [here, elsewhere] = [new StoredAcceptedRecipients(repository), new StoredAcceptedRecipients(repository)];
    here.note(AT);
    expect(await here.recall(AT)).toBe('lately');
    expect(await elsewhere.recall(AT)).toBe('lately');
    expect(await elsewhere.recall({ ...AT, domain: 'example.org' })).toBeNull();
    expect(await elsewhere.recall({ ...AT, host: 'mx2.example.com' })).toBeNull();
    expect(await elsewhere.recall({ ...AT, egressId: 'proxy/verify.example.net' })).toBeNull();
  });

  it('are no longer lately after an hour', async () => {
    const here = new StoredAcceptedRecipients(repository);
    await repository.store([AT]);
    await accepted('59 MINUTE');
    expect(await here.recall(AT)).toBe('lately');
    await accepted('61 MINUTE');
    expect(await here.recall(AT)).toBe('earlier');
  });

  it('are no longer lately at the third unproven refusal, until the next acceptance', async () => {
    const [here, elsewhere] = [new StoredAcceptedRecipients(repository), new StoredAcceptedRecipients(repository)];
    const recalled = async (): Promise<unknown[]> => [
      await here.recall(AT),
      await here.recall(AT),
      await here.recall(AT),
    ];
    here.note(AT);
    expect(await recalled()).toEqual(['lately', 'lately', 'earlier']);
    here.note(AT);
    expect(await recalled()).toEqual(['lately', 'lately', 'earlier']);
    elsewhere.note(AT);
    await elsewhere.onApplicationShutdown();
    expect(await recalled()).toEqual(['lately', 'lately', 'earlier']);
  });

  it('are known for 7 days, and longer after another acceptance', async () => {
    await repository.store([AT]);
    await accepted('169 HOUR');
    expect(await repository.ageMs(AT)).toBeNull();
    await repository.store([AT]);
    expect(await repository.ageMs(AT)).toBeLessThan(60_000);
    expect(await repository.deleteExpired(10)).toBe(0);
  });

  it('are deleted when too old, and when an operator purges the domain', async () => {
    const other = { ...AT, domain: 'example.org' };
    await repository.store([AT, other]);
    await repository.purgeWithin(database.dataSource.manager, 'example.org');
    expect(await repository.ageMs(other)).toBeNull();
    await accepted('8 DAY');
    expect(await repository.deleteExpired(10)).toBe(1);
  });

  it('are written concurrently, and once for thousands of one domain', async () => {
    const many = Array.from({ length: 8 }, () => new StoredAcceptedRecipients(repository));
    for (const [index, store] of many.entries()) {
      for (let i = 0; i < 500; i += 1) store.note({ ...AT, domain: `d${(i * (index + 1)) % 50}.example.com` });
    }
    await Promise.all(many.map((store) => store.onApplicationShutdown()));
    const rows = await database.dataSource.query('SELECT COUNT(*) AS n FROM accepted_recipients');
    expect(Number(rows[0].n)).toBe(50);
  });

  it('are unknown while the database is down, without failing a check', async () => {
    const away = await createMigratedDatabase();
    const store = new StoredAcceptedRecipients(new AcceptedRecipientsRepository(away.dataSource));
    await away.drop();
    store.note(AT);
    expect(await store.recall(AT)).toBeNull();
  });
});
