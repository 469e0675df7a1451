import { mailHostGroup } from './mail-host-group.js';
import type { MailProvider } from './provider.js';

describe('mailHostGroup', () => {
  it('is the provider if the table knows it', () => {
    expect(mailHostGroup('aspmx.l.google.com', { id: 'google' } as MailProvider)).toBe('provider:google');
  });

  it('is the registrable domain of the mail host otherwise', () => {
    expect(mailHostGroup('mx1.mail.example.co.uk', null)).toBe('domain:example.co.uk');
    expect(mailHostGroup('localhost', null)).toBe('domain:localhost');
  });
});
