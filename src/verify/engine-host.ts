import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Knowledge } from '../engine/assess.js';
import type { VerificationEngine } from '../engine/engine.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppSecrets } from '../platform/config/app-secrets.js';
import { createEngine, type RunningEngine } from './create-engine.js';

/** The one engine of a process. */
@Injectable()
export class EngineHost implements OnApplicationShutdown {
  private readonly running: RunningEngine;

  constructor(config: AppConfig, secrets: AppSecrets) {
    this.running = createEngine({ config, secrets });
  }

  get engine(): VerificationEngine {
    return this.running.engine;
  }

  get knowledge(): Knowledge {
    return this.running.knowledge;
  }

  /** Runs after the HTTP server has closed: no check is under way. */
  onApplicationShutdown(): void {
    this.running.close();
  }
}
