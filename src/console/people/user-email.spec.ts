import { parseUserEmail } from './user-email.js';

it.each([
  ['Ada@Example.com', 'ada@example.com'],
  [' ada+x@example.com ', 'ada+x@example.com'],
  ['jösé@exämple.com', 'jösé@exämple.com'],
  ['ada@localhost', null],
  ['ada@@example.com', null],
  ['Ada <ada@example.com>', null],
  ['ada@example.com.', null],
  [`${'a'.repeat(65)}@example.com`, null],
  [`a@${'a'.repeat(250)}.com`, null],
  ['', null],
])('reads %j as %j', (text, email) => {
  expect(parseUserEmail(text)).toBe(email);
});
