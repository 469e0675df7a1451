import { parseReference } from './grant-reference.js';

it.each(['a', 'INV-2026/11', 'order 17', '~'.repeat(100)])('takes %j', (text) => {
  expect(parseReference(text)).toBe(text);
});

it.each(['', ' ', ' a', 'a ', 'x'.repeat(101), 'ü', 'a\nb'])('refuses %j', (text) => {
  expect(parseReference(text)).toBeNull();
});
