import { readTargets } from './targets.js';

const hashesOf = ({ text }: { readonly text: string }) => [`hash of ${text}`];
const entries = (...sent: string[]) => sent.map((text, position) => ({ position, sent: text }));

it('groups every spelling of an address, with all its positions', async () => {
  const { targets, unreadable } = await readTargets(
    entries('Ann@Example.com', ' ann@example.com ', 'bob@example.com', '"ann"@example.com', 'ann@bücher.example'),
    hashesOf,
  );
  expect(targets.map(({ address, positions }) => [address.text, positions])).toEqual([
    ['ann@example.com', [0, 1, 3]],
    ['bob@example.com', [2]],
    ['ann@bücher.example', [4]],
  ]);
  expect(targets[0]!.hashes).toEqual(['hash of ann@example.com']);
  expect(unreadable).toEqual([]);
});

it('lists entries that are no address', async () => {
  const { targets, unreadable } = await readTargets(entries('no address', 'ann@example.com', ''), hashesOf);
  expect(targets).toHaveLength(1);
  expect(unreadable).toEqual([0, 2]);
});
