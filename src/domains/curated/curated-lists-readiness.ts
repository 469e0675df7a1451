import { Injectable } from '@nestjs/common';
import { Readiness } from '../../platform/health/readiness.js';
import { CuratedListsHost } from './curated-lists-host.js';

@Injectable()
export class CuratedListsReadiness {
  constructor(lists: CuratedListsHost, readiness: Readiness) {
    readiness.require('the curated lists have not been read yet', () => lists.ready);
  }
}
