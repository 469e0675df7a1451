import 'reflect-metadata';
import { runProcess } from './roles/run-process.js';
import { createWorker } from './roles/worker.js';

void runProcess('worker', createWorker);
