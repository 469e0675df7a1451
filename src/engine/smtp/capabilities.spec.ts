import { capabilitiesOf } from './capabilities.js';

const offered = (...lines: string[]) => capabilitiesOf({ code: 250, enhanced: null, lines, mixed: false });

describe('capabilitiesOf', () => {
  it('reads keywords in any case and with parameters', () => {
    expect(offered('mx.example.test', 'pipelining', 'STARTTLS ', 'SMTPUTF8 x', 'AUTH=LOGIN')).toEqual({
      pipelining: true,
      startTls: true,
      smtpUtf8: true,
    });
  });

  it('ignores the host name and words inside a line', () => {
    expect(offered('PIPELINING', 'X-NOTE STARTTLS', 'SMTPUTF8X')).toEqual({
      pipelining: false,
      startTls: false,
      smtpUtf8: false,
    });
  });
});
