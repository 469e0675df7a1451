import { IsInt, Matches } from 'class-validator';
import { readPayload } from './read-payload.js';
import { TextRule } from './text-rule.js';

class Payload {
  @IsInt() n!: number;
  @TextRule('short', (text) => text.length < 3) text!: string;
  @Matches(/^x$/) letter!: string;
}
const data = { n: 1, text: 'ab', letter: 'x' };

it('reads what the class declares, and leaves the rest', () => {
  const read = readPayload(Payload, { ...data, traceparent: 'x', constructor: 'mine' });
  expect(read).toEqual({ ok: true, payload: data });
  expect(read.ok && read.payload).toBeInstanceOf(Payload);
});

it.each([
  ['nothing', null, 'it is no object'],
  ['a text', 'no object', 'it is no object'],
  ['an array', [], 'n must be an integer number'],
  ['a wrong number', { ...data, n: 'many' }, 'n must be an integer number'],
  ['a wrong text', { ...data, text: 'secret@example.com' }, 'text must be short'],
  ['no text', { ...data, text: {} }, 'text must be short'],
  ['what stands in a prototype only', Object.create(data) as object, 'n must be an integer number'],
])('cannot read %s, and says why without its value', (_, wrong, fault) => {
  expect(readPayload(Payload, wrong)).toEqual({ ok: false, fault });
});
