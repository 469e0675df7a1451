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
  // `user list` prints them: a terminal would clear itself, take colours, or turn the text around.
  ['ada\u001bc@example.com', null],
  ['ada\u009b31m@example.com', null],
  ['ada\u202e@example.com', null],
  ['', null],
])('reads %j as %j', (text, email) => {
  expect(parseUserEmail(text)).toBe(email);
});
