import fc from 'fast-check';
import { parseAddress } from '../../../../src/engine/address/parse-address.js';
import { addressIn as ofCommand } from '../../../../src/verify-file/input/address-cell.js';
import { addressIn, isAddress } from './address-cell';

describe('isAddress', () => {
  const pieces = fc.constantFrom(
    ...'abz09.@@@-_+"\\ <>[]\u0000ä日ß\u200d\u00adÉ😀',
    'example.com',
    '.org',
    'xn--',
    'x'.repeat(63),
    'bücher.example',
    "o'neill",
    '1.2.3.4',
  );

  it('tells addresses as the API does', () => {
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc
        .tuple(fc.array(pieces, { maxLength: 6 }), fc.array(pieces, { maxLength: 6 }))
        .map(([a, b]) => `${a.join('')}@${b.join('')}`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(texts, (text) => isAddress(text) === parseAddress(text).ok),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['ann@example.com', true],
    ['"ann lee"@example.com', true],
    ['jörg@bücher.example', true],
    ['jörg@bü-cher.example', true],
    ['jörg@-bücher.example', false],
    ['jörg@bücher-.example', false],
    ['jörg@www.-bücher\u3002example', false],
    ['jörg@bücher\uff0d.example', false],
    ['jörg@bücher-\ufe0f.example', false],
    ['ann@localhost', false],
    ['ann@example.123', false],
    ['ann@@example.com', false],
    ['ann lee@example.com', false],
  ])('%s: %s', (text, expected) => {
    expect(isAddress(text)).toBe(expected);
    expect(parseAddress(text).ok).toBe(expected);
  });
});

describe('addressIn', () => {
  it.each([
    [' ann@example.com ', 'ann@example.com'],
    ['Ann Lee <ann@example.com>', 'ann@example.com'],
    ['"Lee, Ann" <ann@example.com>', 'ann@example.com'],
    ['<mailto:ann@example.com>', 'ann@example.com'],
    ['mailto:ann@example.com', 'ann@example.com'],
    ['<mailto: ann@example.com >', 'ann@example.com'],
    ['Ann <ann@x@example.com>', 'ann@x@example.com'],
    ['Ann <@example.com>', 'Ann <@example.com>'],
    ['Ann <ann@example.com>,', 'Ann <ann@example.com>,'],
    ['Ann <ann> x', 'Ann <ann> x'],
    ['', ''],
  ])('reads the address in %j', (cell, address) => {
    expect(addressIn(cell)).toBe(address);
  });

  it('reads each cell as the command verify-file does', () => {
    const part = fc.constantFrom('ann', '@', 'example.com', '<', '>', ' ', 'mailto:', 'MAILTO:', '"', ',', '\u00a0');
    const cells = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(cells, (cell) => addressIn(cell) === ofCommand(cell)),
      { numRuns: 5000 },
    );
  });
});
