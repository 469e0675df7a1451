import 'reflect-metadata';
import { createConsole } from './roles/console.js';
import { runProcess } from './roles/run-process.js';

void runProcess('console', createConsole);
