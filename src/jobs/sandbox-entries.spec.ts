import { readSandboxEntries, sandboxEntryText } from './sandbox-entries.js';

describe('readSandboxEntries', () => {
  it('keeps what was sent, for nothing', async () => {
    const { entries, takesMs } = await readSandboxEntries([' Valid@example.com ', 'nothing', 7]);
    expect(entries).toEqual([
      { sent: ' Valid@example.com ', unitPrice: 0, result: null },
      { sent: null, unitPrice: 0, result: '{"email":"nothing","error":"invalid_email"}' },
      { sent: null, unitPrice: 0, result: '{"email":null,"error":"invalid_email"}' },
    ]);
    expect(takesMs).toBe(0);
  });

  it.each(['async@example.com', 'SlowJob@example.com'])('takes a while with %s in it', async (email) => {
    expect(await readSandboxEntries(['valid@example.com', email])).toMatchObject({ takesMs: 3000 });
  });

  it('is refused where an entry asks for it', async () => {
    const reading = readSandboxEntries(['async@example.com', 'ratelimit@example.com']);
    await expect(reading).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });
});

describe('sandboxEntryText', () => {
  it('is a result, or the error of an address that could not be completed', () => {
    const text = sandboxEntryText({ sent: ' Invalid@example.com', result: null }, 'enhanced');
    expect(JSON.parse(text)).toMatchObject({ email: 'invalid@example.com', smtp_diagnosis: 'mailbox_not_found' });
    expect(sandboxEntryText({ sent: 'ServerError@example.com', result: null }, 'standard')).toBe(
      '{"email":"ServerError@example.com","error":"verify_unavailable"}',
    );
  });

  it('is what is there already', () => {
    expect(sandboxEntryText({ sent: null, result: '{"email":7}' }, 'standard')).toBe('{"email":7}');
  });
});
