import { ask, endAll, found, resolverFor, right, serve } from './support/resolver-under-test.js';
import type { ScriptedDns } from './support/scripted-dns.js';

afterEach(endAll);

/** Several times as many as a resolver has in flight. */
const MANY = 5000;
const SOON_MS = 1500;

describe('questions of a requester', () => {
  it('are answered soon while thousands of another get no answer', async () => {
    const resolver = resolverFor([await silentBelow('slow.example')]);
    for (let i = 0; i < MANY; i += 1) void ask(resolver, `n${i}.slow.example`, 'A', { requester: 'many' });
    const startedAt = performance.now();
    expect(await ask(resolver, 'fine.example', 'A', { requester: 'few' })).toMatchObject(found);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  });

  it('do not wait where another stands in line for the same answer', async () => {
    const resolver = resolverFor([await silentBelow('slow.example')]);
    for (let i = 0; i < MANY; i += 1) void ask(resolver, `n${i}.slow.example`, 'A', { requester: 'many' });
    const ofMany = ask(resolver, 'fine.example', 'A', { requester: 'many' });
    const startedAt = performance.now();
    expect(await ask(resolver, 'fine.example', 'A', { requester: 'few' })).toMatchObject(found);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    expect(await ofMany).toMatchObject(found);
  });
});

function silentBelow(domain: string): Promise<ScriptedDns> {
  return serve((asked, self) => (asked.name.endsWith(domain) ? [] : right(asked, self)));
}
