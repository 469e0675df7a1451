import { readTlsReportAddresses, tlsRptFact } from './tls-rpt-record.js';

describe('readTlsReportAddresses', () => {
  it('reads addresses for mail and HTTPS', () => {
    const text = 'v=TLSRPTv1; rua=mailto:tls@example.com , https://reports.example.com/v1?a=b; ext=1;';
    expect(readTlsReportAddresses(['other', text])).toEqual([
      'mailto:tls@example.com',
      'https://reports.example.com/v1?a=b',
    ]);
  });

  it.each([
    'v=TLSRPTv1;',
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
