import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AddressVault } from '../../verify/address-vault/address-vault.js';
import type { ConsoleUser } from '../session/console-caller.js';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.js';
import { SecondFactorRepository, type MatchCode } from './second-factor.repository.js';
import { newTotpSecret, stepOfCode, toBase32, totpUri } from './totp.js';

/** Authentication codes of an app (TOTP), and recovery codes in their place. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly repository: SecondFactorRepository,
    private readonly vault: AddressVault,
  ) {}

  /** Takes a code of the app or a recovery code, each once. False: it is not good. */
  take(userId: string, text: string): Promise<boolean> {
    return this.repository.take(userId, this.matching(userId, text), hashRecoveryCode(userId, text));
  }

  /** The same for a recovery code alone. */
  takeRecoveryCode(userId: string, text: string): Promise<boolean> {
    return this.repository.take(userId, () => null, hashRecoveryCode(userId, text));
  }

  /**
   * A new secret, which counts once its first code has come.
   * @throws AppError `conflict` if the second factor is on
   */
  async offer({ id, email }: ConsoleUser): Promise<{ readonly secret: string; readonly uri: string }> {
    const secret = newTotpSecret();
    if (!(await this.repository.offer(id, this.seal(id, secret)))) {
      throw new AppError('conflict', 'Authentication codes are on already; switch them off first.');
    }
    return { secret: toBase32(secret), uri: totpUri(secret, email) };
  }

  /**
   * @returns the recovery codes, which are seen here and never again
   * @throws AppError `sign_in_failed` if the code is wrong, `conflict` if no secret waits for one
   */
  async switchOn({ id }: ConsoleUser, code: string, actor: Actor): Promise<readonly string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((each) => hashRecoveryCode(id, each)!);
    const outcome = await this.repository.switchOn(id, this.matching(id, code.trim()), hashes, actor);
    if (outcome === 'wrong_code') throw wrongCode();
    if (outcome === 'not_offered') throw new AppError('conflict', 'No new secret waits for its first code.');
    return codes;
  }

  switchOff({ id }: ConsoleUser, actor: Actor): Promise<void> {
    return this.repository.switchOff(id, actor);
  }

  private matching(userId: string, text: string): MatchCode {
    return ({ totpSecret, totpLastStep }) => {
      if (totpSecret === null) return null;
      const secret = Buffer.from(this.vault.open(totpSecret, contextOf(userId)), 'hex');
      const step = stepOfCode(secret, text.replaceAll(' ', ''), Date.now(), totpLastStep);
      if (step === null) return null;
      // Sealed anew, so that an older key is not needed for ever.
      const sealed = totpSecret[0] === this.vault.keyId ? totpSecret : this.seal(userId, secret);
      return { step, sealed };
    };
  }

  private seal(userId: string, secret: Buffer): Buffer {
    return this.vault.seal(secret.toString('hex'), contextOf(userId));
  }
}

/** What a sealed secret is bound to: it opens for no other user. */
function contextOf(userId: string): string {
  return createHash('sha256').update(`totp:${userId}`).digest('hex');
}

export function wrongCode(): AppError {
  return new AppError('sign_in_failed', 'The code is wrong, or it was used before.');
}
