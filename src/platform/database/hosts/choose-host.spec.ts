import { chooseHost, type HostState } from './choose-host.js';

const ALONE: HostState = { kind: 'writable', cluster: null };
const NODE: HostState = { kind: 'writable', cluster: 'c1' };
const READ_ONLY: HostState = { kind: 'read-only' };
const NOT_READY: HostState = { kind: 'not ready' };
const SILENT: HostState = { kind: 'silent', why: 'ECONNREFUSED' };

const choose = (...states: HostState[]) => chooseHost(states.map((state, i) => ({ name: `h${i + 1}`, state })));

it.each([
  ['the only writable host', [READ_ONLY, ALONE, READ_ONLY], 'h2'],
  ['the only writable host beside one that is silent', [SILENT, ALONE], 'h2'],
  ['the first synced node of a cluster', [NODE, NODE, NODE], 'h1'],
  ['the first node that is synced and not read-only', [NOT_READY, READ_ONLY, NODE], 'h3'],
  ['no host of two that are writable', [ALONE, ALONE], null],
  ['no host of two clusters', [NODE, { kind: 'writable', cluster: 'c2' }], null],
  ['no host of a node and a server beside it', [NODE, ALONE], null],
  ['no host where all are read-only', [READ_ONLY, READ_ONLY], null],
  ['no host where none answers', [SILENT, SILENT], null],
] satisfies [string, HostState[], string | null][])('chooses %s', (_, states, host) => {
  expect(choose(...states).host).toBe(host);
});

it.each([
  ['a host that became read-only', [READ_ONLY, ALONE], ['h1']],
  ['a host that became read-only, where there is no other yet', [READ_ONLY, SILENT], ['h1']],
  ['a node that lost its cluster', [NOT_READY, NODE], ['h1']],
  ['a silent host, where another is chosen', [SILENT, ALONE], ['h1']],
  ['no silent host, where there is no other', [SILENT, READ_ONLY], ['h2']],
  ['no node that can be written to', [NODE, NODE], []],
  ['all hosts in a split brain', [ALONE, ALONE, SILENT], ['h1', 'h2', 'h3']],
] satisfies [string, HostState[], string[]][])('ends connections to %s', (_, states, leave) => {
  expect(choose(...states).leave).toEqual(leave);
});

it('tells the operator why no host can be chosen', () => {
  expect(choose(READ_ONLY, SILENT).trouble).toBe(
    'no host can be written to: h1 is read-only, h2 cannot be reached (ECONNREFUSED)',
  );
  expect(choose(ALONE, READ_ONLY, ALONE).trouble).toBe(
    'split brain: h1 and h3 can be written to; leave one of them, and make the others read-only',
  );
  expect(choose(ALONE, READ_ONLY).trouble).toBeNull();
});
