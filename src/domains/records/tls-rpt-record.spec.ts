import { readTlsReportAddresses, tlsRptFact } from './tls-rpt-record.js';

describe('readTlsReportAddresses', () => {
  it('reads addresses for mail and HTTPS', () => {
    const text = 'v=TLSRPTv1; rua=mailto:tls@example.com , https://reports.example.com/v1?a=b; ext=1;';
    expect(readTlsReportAddresses(['other', text])).toEqual([
      'mailto:tls@example.com',
      'https://reports.example.com/v1?a=b',
    ]);
  });

  it('reads tabs for spaces, schemes in any case, and an address without a path', () => {
    const text = 'v=TLSRPTv1\t;rua=MAILTO:a.b%2Cc@example.com?subject=a\t,\thttps://reports.example.com\t;';
    expect(readTlsReportAddresses([text])).toEqual([
      'MAILTO:a.b%2Cc@example.com?subject=a',
      'https://reports.example.com',
    ]);
  });

  it.each([
    'v=TLSRPTv1;',
    'x v=TLSRPTv1; rua=mailto:a@example.com',
    'v=TLSRPTv10; rua=mailto:a@example.com',
    'v=TLSRPTv1; rua=mailto:a@example.com!10m',
    'v=TLSRPTv1; rua=mailto:a!b@example.com',
    'v=TLSRPTv1; rua=mailto:a b@example.com',
    'v=TLSRPTv1; rua=mailto:a@b@example.com',
    'v=TLSRPTv1; rua=mailto:@example.com',
    'v=TLSRPTv1; rua=mailto:a@',
    'v=TLSRPTv1; rua=xmailto:a@example.com',
    'v=TLSRPTv1; rua=https://',
    'v=TLSRPTv1; rua=https:///v1',
    'v=TLSRPTv1; rua=https://reports.example.com/a b',
    'v=TLSRPTv1; rua=https://reports.example.com/!10m',
    'v=TLSRPTv1; rua=mailto:a@example.com; é=1',
    'v=TLSRPTv1; rua=mailto:a@example.com; x=é',
    'v=TLSRPTv1; rua= mailto:a@example.com',
    'v=TLSRPTv1; rua=',
    'v=TLSRPTv1; rua=tls@example.com',
    'v=TLSRPTv1; rua=mailto:tls',
    'v=TLSRPTv1; rua=http://reports.example.com',
    'v=TLSRPTv1; rua=mailto:tls@example.com,',
    'v=TLSRPTv1; rua=mailto:a@example.com; rua=mailto:b@example.com',
    'v=tlsrptv1; rua=mailto:tls@example.com',
    'v=TLSRPTv1 rua=mailto:tls@example.com',
  ])('refuses %s', (text) => {
    expect(readTlsReportAddresses([text])).toBeNull();
  });
});

describe('tlsRptFact', () => {
  it('is false without a record and with two, null when the look-up failed', () => {
    const text = 'v=TLSRPTv1; rua=mailto:tls@example.com';
    expect(tlsRptFact([text])).toBe(true);
    expect(tlsRptFact([])).toBe(false);
    expect(tlsRptFact([text, text])).toBe(false);
    expect(tlsRptFact(null)).toBeNull();
  });
});
