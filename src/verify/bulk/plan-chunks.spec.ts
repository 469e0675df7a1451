import { CHUNK_SIZE, planChunks, type DomainWork } from './plan-chunks.js';

const work = (domain: string, count: number, group = domain): DomainWork<string> => ({
  domain,
  group,
  targets: Array.from({ length: count }, (_, i) => `${i}@${domain}`),
});
const TERMS = { keepDomains: false, atOnce: 50 };
const KEEPING = { ...TERMS, keepDomains: true };
const shapes = (chunks: ReturnType<typeof planChunks<string>>) =>
  chunks.map(({ group, targets, rank }) => [group, targets.length, rank]);

it('makes one chunk of a group that fits, with its domains in order', () => {
  const [chunk, ...others] = planChunks([work('a.test', 40, 'g'), work('b.test', 30, 'g')], TERMS);
  expect(others).toEqual([]);
  expect(chunk).toMatchObject({ group: 'g', rank: 1 });
  expect(chunk!.targets).toEqual([...work('a.test', 40).targets, ...work('b.test', 30).targets]);
});

it('keeps whole domains together if they fit', () => {
  const chunks = planChunks([work('a.test', 60, 'g'), work('b.test', 60, 'g'), work('c.test', 40, 'g')], TERMS);
  expect(shapes(chunks)).toEqual([
    ['g', 60, 1],
    ['g', 100, 2],
  ]);
});

it('splits a domain that is larger than a chunk into equal parts', () => {
  expect(shapes(planChunks([work('a.test', 201)], TERMS))).toEqual([
    ['a.test', 67, 1],
    ['a.test', 67, 2],
    ['a.test', 67, 3],
  ]);
});

it('splits no domain in enhanced mode, where one random recipient counts for all of it', () => {
  const chunks = planChunks([work('a.test', 2500, 'g'), work('b.test', 60, 'g'), work('c.test', 60, 'g')], KEEPING);
  expect(shapes(chunks)).toEqual([
    ['g', 2500, 1],
    ['g', 60, 2],
    ['g', 60, 3],
  ]);
});

it('orders the first chunk of every group before any second one, so that a big domain delays nobody', () => {
  const chunks = planChunks(
    [work('big.test', 10 * CHUNK_SIZE), work('small.test', 30), work('other.test', 150)],
    TERMS,
  );
  expect(shapes(chunks).slice(0, 5)).toEqual([
    ['big.test', 100, 1],
    ['small.test', 30, 1],
    ['other.test', 75, 1],
    ['big.test', 100, 2],
    ['other.test', 75, 2],
  ]);
});

it('packs small groups together, up to ten groups and sixty recipients', () => {
  const ones = Array.from({ length: 25 }, (_, i) => work(`d${i}.test`, 1));
  expect(shapes(planChunks(ones, TERMS))).toEqual([
    [null, 10, 1],
    [null, 10, 1],
    [null, 5, 1],
  ]);
  const twenties = Array.from({ length: 4 }, (_, i) => work(`d${i}.test`, 20));
  expect(shapes(planChunks(twenties, KEEPING))).toEqual([
    [null, 60, 1],
    ['d3.test', 20, 1],
  ]);
});

it('keeps every recipient exactly once', () => {
  const all = [
    work('a.test', 317, 'g'),
    work('b.test', 3),
    work('c.test', 99, 'g'),
    work('d.test', 1),
    work('e.test', 24),
  ];
  const expected = all.flatMap(({ targets }) => targets).toSorted();
  for (const terms of [TERMS, KEEPING]) {
    const chunks = planChunks(all, terms);
    expect(chunks.flatMap(({ targets }) => targets).toSorted()).toEqual(expected);
  }
  expect(planChunks([], TERMS)).toEqual([]);
});
