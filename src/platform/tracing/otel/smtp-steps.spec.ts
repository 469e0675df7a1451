import { smtpStep } from './smtp-steps.js';

const sent = (line: string) => smtpStep({ kind: 'smtp', host: 'mx.example.com', direction: 'sent', line });
const received = (line: string) => smtpStep({ kind: 'smtp', host: 'mx.example.com', direction: 'received', line });

describe('smtpStep', () => {
  it('keeps only the verb of a command', () => {
    expect(sent('RCPT TO:<ada@example.com>')).toEqual({ verb: 'RCPT' });
    expect(sent('QUIT')).toEqual({ verb: 'QUIT' });
    expect(sent('ada@example.com')).toBeNull();
  });

  it('keeps the code of a reply once', () => {
    expect(received('250-mx.example.com greets you')).toBeNull();
    expect(received('250 SIZE 1000')).toEqual({ code: 250 });
    expect(received('550')).toEqual({ code: 550 });
    expect(received('999 what is this')).toBeNull();
    expect(received('5501 ada@example.com')).toBeNull();
  });

  it('drops notes and questions', () => {
    expect(smtpStep({ kind: 'note', text: '250 ada@example.com' })).toBeNull();
  });
});
