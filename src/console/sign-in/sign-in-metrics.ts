import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { AppError } from '../../platform/errors/app-error.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

type Step = 'password' | 'code' | 'oidc';

/** Counts steps of sign-ins by what came of them. Nobody is named. */
@Injectable()
export class SignInMetrics {
  private readonly steps: Counter<'step' | 'outcome'>;

  constructor({ registry }: Metrics) {
    const steps = 'Steps of sign-ins: passed, failed, or refused after too many tries';
    this.steps = newCounter(registry, 'mailvet_console_sign_ins_total', steps, { step: [], outcome: [] });
  }

  /** Counts a step by how it ends. Our own faults count as neither. */
  async count<T>(step: Step, work: Promise<T>): Promise<T> {
    try {
      const done = await work;
      this.note(step, 'passed');
      return done;
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      if (code === 'sign_in_failed') this.note(step, 'failed');
      if (code === 'too_many_attempts' || code === 'unauthorized') this.note(step, 'refused');
      throw error;
    }
  }

  note(step: Step, outcome: 'passed' | 'failed' | 'refused'): void {
    this.steps.inc({ step, outcome });
  }
}
