import 'reflect-metadata';
import { growHeapSlowly } from './platform/process/grow-heap-slowly.js';
import { runProcess } from './roles/run-process.js';
import { createWorker } from './roles/worker.js';

void runProcess('worker', (settings, log) => {
  // Not while modules are loaded: bytecode of the build is for V8 with its usual flags.
  growHeapSlowly();
  return createWorker(settings, log);
});
