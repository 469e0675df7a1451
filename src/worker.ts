import 'reflect-metadata';
import { growHeapSlowly } from './platform/process/grow-heap-slowly.js';
import { runProcess } from './roles/run-process.js';
import { createWorker } from './roles/worker.js';

growHeapSlowly();
void runProcess('worker', createWorker);
