import { readSandboxEntries, sandboxEntryText } from './sandbox-entries.js';

describe('readSandboxEntries', () => {
  it('keeps the sent entries and charges nothing', async () => {
    const { counts, entries, takesMs } = await readSandboxEntries([' Valid@example.com ', 'nothing', 7], 'standard');
    expect(entries).toEqual([
      { sent: ' Valid@example.com ', unitPrice: 0, result: null },
      { sent: null, unitPrice: 0, result: '{"email":"nothing","error":"invalid_email"}' },
      { sent: null, unitPrice: 0, result: '{"email":null,"error":"invalid_email"}' },
    ]);
    expect(takesMs).toBe(0);
    expect(counts).toMatchObject({ valid: 1, invalid: 0, error: 2 });
  });

  it.each(['async@example.com', 'SlowJob@example.com'])('delays completion with %s in it', async (email) => {
    expect(await readSandboxEntries(['valid@example.com', email], 'standard')).toMatchObject({ takesMs: 3000 });
  });

  it('is refused if an entry demands it', async () => {
    const reading = readSandboxEntries(['async@example.com', 'ratelimit@example.com'], 'standard');
    await expect(reading).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });
});

describe('sandboxEntryText', () => {
  it('is a result, or the error of an address without a verdict', () => {
    const text = sandboxEntryText({ sent: ' Invalid@example.com', result: null }, 'enhanced');
    expect(JSON.parse(text)).toMatchObject({ email: 'invalid@example.com', smtp_diagnosis: 'mailbox_not_found' });
    expect(sandboxEntryText({ sent: 'ServerError@example.com', result: null }, 'standard')).toBe(
      '{"email":"ServerError@example.com","error":"verify_unavailable"}',
    );
  });

  it('returns a stored text unchanged', () => {
    expect(sandboxEntryText({ sent: null, result: '{"email":7}' }, 'standard')).toBe('{"email":7}');
  });
});
