const grave = new Set(['moderate', 'high', 'critical']);

/**
 * Summarises the output of `npm audit --json`.
 * @param {string} text
 * @returns {{ kind: 'clean' | 'faults' | 'skipped', lines: string[] }}
 */
export function readAudit(text) {
  const report = parsed(text);
  if (report?.vulnerabilities === undefined) {
    const why = report?.message ?? 'npm audit said nothing';
    return {
      kind: 'skipped',
      lines: [`audit: SKIPPED, nobody has looked for known faults: the registry does not tell them (${why})`],
    };
  }
  const faults = Object.values(report.vulnerabilities).filter(({ severity }) => grave.has(severity));
  if (faults.length === 0) return { kind: 'clean', lines: ['audit: no known faults in production dependencies'] };
  return { kind: 'faults', lines: faults.map(({ name, severity, range }) => `audit: ${severity}: ${name} ${range}`) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
