import { findProvider } from './find-provider.js';

const idOf = (host: string) => findProvider(host)?.id ?? null;

describe('findProvider', () => {
  it.each([
    ['gmail-smtp-in.l.google.com', 'google'],
    ['alt3.aspmx.l.google.com', 'google'],
    ['smtp.google.com', 'google'],
    ['aspmx3.googlemail.com', 'google'],
    ['example-com.mail.protection.outlook.com', 'microsoft365'],
    ['example-com.a-v1.mx.microsoft', 'microsoft365'],
    ['hotmail-com.olc.protection.outlook.com', 'outlook-consumer'],
    ['mta5.am0.yahoodns.net', 'yahoo'],
    ['mx01.mail.icloud.com', 'icloud'],
    ['mxs.mail.ru', 'mailru'],
    ['mx.yandex.net', 'yandex'],
    ['mx00.emig.gmx.net', 'gmx'],
    ['mx-ha03.web.de', 'gmx'],
    ['mx00.kundenserver.de', 'ionos'],
    ['mxb-00000000.gslb.pphosted.com', 'proofpoint'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['d00000a.ess.barracudanetworks.com', 'barracuda'],
    ['mx1.hc00-00.eu.iphmx.com', 'cisco'],
    ['cluster5.eu.messagelabs.com', 'symantec'],
    ['route1.mx.cloudflare.net', 'cloudflare'],
    ['mx1.forwardemail.net', 'forwardemail'],
    ['mx.sendgrid.net', 'sendgrid'],
    ['mxa.eu.mailgun.org', 'mailgun'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'ses'],
  ])('%s is run by %s', (host, id) => {
    expect(idOf(host)).toBe(id);
  });

  it('prefers the longest matching name', () => {
    expect(idOf('x.mail.protection.outlook.com')).toBe('microsoft365');
    expect(idOf('x.olc.protection.outlook.com')).toBe('outlook-consumer');
  });

  it('compares whole labels', () => {
    expect(idOf('mx.notgoogle.com')).toBeNull();
    expect(idOf('google.com.example.org')).toBeNull();
  });

  it('does not mistake a rented machine for the mail service of the same company', () => {
    expect(idOf('ec2-192-0-2-1.compute-1.amazonaws.com')).toBeNull();
    expect(idOf('mail.protection.example.com')).toBeNull();
  });

  it('ignores upper case and the final dot', () => {
    expect(idOf('ASPMX.L.GOOGLE.COM.')).toBe('google');
  });

  it.each(['', '.', 'localhost', '192.0.2.1', 'com'])('knows nothing about %p', (host) => {
    expect(findProvider(host)).toBeNull();
  });
});
