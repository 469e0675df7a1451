import { parseAddress } from '../../engine/address/parse-address.js';
import { AppError } from '../../platform/errors/app-error.js';

/** The A-labels of a domain, by the rules of addresses. @throws AppError `validation_failed` for what is no domain */
export function domainIn(text: string): string {
  const parsed = parseAddress(`postmaster@${text.trim()}`);
  if (!parsed.ok) throw new AppError('validation_failed', 'domain must be a domain such as example.com');
  return parsed.address.domain;
}
