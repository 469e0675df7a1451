import 'reflect-metadata';
import { createApi } from './roles/api.js';
import { runProcess } from './roles/run-process.js';

void runProcess('api', createApi);
