import { readNewEntries } from './new-entries.js';

const nobody = async () => new Set<string>();
const addresses = (count: number): string[] => Array.from({ length: count }, (_, i) => `user-${i}@d${i}.example`);

it('keeps an address as it was sent, and answers invalid entries at once', async () => {
  const entries = await readNewEntries([' Ada@Company.example', 'no address', 7, 'x'.repeat(1025)], 'standard', nobody);
  expect(entries).toEqual([
    { sent: ' Ada@Company.example', unitPrice: 1, result: null },
    { sent: null, unitPrice: 0, result: '{"email":"no address","error":"invalid_email"}' },
    { sent: null, unitPrice: 0, result: '{"email":null,"error":"invalid_email"}' },
    { sent: null, unitPrice: 0, result: `{"email":"${'x'.repeat(1025)}","error":"invalid_email"}` },
  ]);
});

it('prices each entry, repeats included', async () => {
  const asked: string[][] = [];
  const entries = await readNewEntries(
    ['a@company.example', 'b@KNOWN.example', 'a@company.example', '?', 'c@bücher.example'],
    'enhanced',
    async (domains) => {
      asked.push([...domains]);
      return new Set(['known.example']);
    },
  );
  expect(entries.map(({ unitPrice }) => unitPrice)).toEqual([3, 1, 3, 0, 3]);
  expect(asked).toEqual([['company.example', 'known.example', 'xn--bcher-kva.example']]);
});

it('looks domains up only where that lowers the price, in batches', async () => {
  const findCatchAlls = jest.fn(nobody);
  await readNewEntries(addresses(1200), 'standard', findCatchAlls);
  expect(findCatchAlls).not.toHaveBeenCalled();
  await readNewEntries(addresses(1200), 'enhanced', findCatchAlls);
  expect(findCatchAlls.mock.calls.map(([domains]: readonly (readonly string[])[]) => domains?.length)).toEqual([
    500, 500, 200,
  ]);
});

it('yields to other work while it reads a large list', async () => {
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const entries = await readNewEntries(addresses(10_000), 'standard', nobody);
  reading = false;
  expect(entries).toHaveLength(10_000);
  expect(turns).toBeGreaterThanOrEqual(100);
});
