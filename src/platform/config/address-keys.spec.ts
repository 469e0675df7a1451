import { parseAddressKeys } from './address-keys.js';

const KEY = 'sixteen letters!';

describe('parseAddressKeys', () => {
  it.each([
    [KEY, [{ id: 1, key: KEY }]],
    [`7:${KEY}`, [{ id: 7, key: KEY }]],
    [
      `2:new ${KEY}, 1:${KEY}`,
      [
        { id: 2, key: `new ${KEY}` },
        { id: 1, key: KEY },
      ],
    ],
    [`255:a:b:${KEY}`, [{ id: 255, key: `a:b:${KEY}` }]],
    [`with:colon:${KEY}`, [{ id: 1, key: `with:colon:${KEY}` }]],
  ])('reads %s', (text, keys) => {
    expect(parseAddressKeys(text)).toEqual(keys);
  });

  it.each([
    '',
    'fifteen letters',
    `0:${KEY}`,
    `256:${KEY}`,
    `1:${KEY},1:another ${KEY}`,
    `1:${KEY},another ${KEY}`,
    `${KEY},`,
    `1:${KEY}\u0007`,
    `1:ключ ${KEY}`,
    `1:${'x'.repeat(1025)}`,
  ])('refuses %j', (text) => {
    expect(parseAddressKeys(text)).toBeNull();
  });
});
