import { parseReplyLine } from './reply-line.js';

describe('parseReplyLine', () => {
  it.each([
    ['250 2.1.5 ok', { code: 250, more: false, enhanced: '2.1.5', text: 'ok' }],
    ['250-PIPELINING', { code: 250, more: true, enhanced: null, text: 'PIPELINING' }],
    ['250', { code: 250, more: false, enhanced: null, text: '' }],
    ['250 ', { code: 250, more: false, enhanced: null, text: '' }],
    ['250-', { code: 250, more: true, enhanced: null, text: '' }],
    [
      '550-5.1.1 The account does not exist',
      { code: 550, more: true, enhanced: '5.1.1', text: 'The account does not exist' },
    ],
    ['550 5.1.1', { code: 550, more: false, enhanced: '5.1.1', text: '' }],
    ['550 5.1.1: unknown', { code: 550, more: false, enhanced: '5.1.1', text: 'unknown' }],
    ['550 #5.1.0 Address rejected.', { code: 550, more: false, enhanced: '5.1.0', text: 'Address rejected.' }],
    ['553 no mailbox here (#5.7.1)', { code: 553, more: false, enhanced: '5.7.1', text: 'no mailbox here (#5.7.1)' }],
    ['591 listed', { code: 591, more: false, enhanced: null, text: 'listed' }],
  ])('reads %j', (line, expected) => {
    expect(parseReplyLine(line)).toEqual(expected);
  });

  it('does not read an IP address or a version as an enhanced code', () => {
    expect(parseReplyLine('554 5.1.1.7 is listed')?.enhanced).toBeNull();
    expect(parseReplyLine('220 4.87.2024')?.enhanced).toBeNull();
  });

  it.each(['', 'hello', '25 ok', '2500 ok', '150 wait', '650 no', '250_ok', 'HTTP/1.1 400 Bad Request', ' 250 ok'])(
    'takes %j for no line of a reply',
    (line) => expect(parseReplyLine(line)).toBeNull(),
  );
});
