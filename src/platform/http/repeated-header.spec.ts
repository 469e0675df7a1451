import { isRepeated } from './repeated-header.js';

const raw = (...names: string[]) => ({ rawHeaders: names.flatMap((name) => [name, 'host']) });

describe('isRepeated', () => {
  it.each([[raw('Host', 'host')], [raw('HOST', 'Accept', 'hOsT')], [raw('Host', 'Host', 'Host')]])(
    'sees it in %j',
    (request) => expect(isRepeated(request, 'host')).toBe(true),
  );

  it.each([[raw()], [raw('Host')], [raw('Host', 'X-Host', 'Hosts')], [raw('Accept', 'Accept')]])(
    'does not in %j',
    (request) => expect(isRepeated(request, 'host')).toBe(false),
  );
});
