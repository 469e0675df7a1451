import { Injectable } from '@nestjs/common';
import { Readiness } from '../../platform/health/readiness.js';
import { CuratedListsProvider } from './curated-lists-provider.js';

@Injectable()
export class CuratedListsReadiness {
  constructor(lists: CuratedListsProvider, readiness: Readiness) {
    readiness.require('the curated lists have not been read yet', () => lists.ready);
  }
}
