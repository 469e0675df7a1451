import { Injectable } from '@nestjs/common';
import { HealthDetails } from '../../platform/health/health-details.js';
import { Readiness } from '../../platform/health/readiness.js';
import { SignalListsProvider } from './signal-lists-provider.js';

/** Lists are refreshed every few hours: after this long an operator should check the source. */
const OLD_SECONDS = 3 * 86_400;

/** The process is not ready until it has read the fetched lists. */
@Injectable()
export class ListHealth {
  constructor(lists: SignalListsProvider, readiness: Readiness, health: HealthDetails) {
    readiness.require('the fetched lists have not been read yet', () => lists.ready);
    health.add('lists', () => ({ state: { fetched: lists.states.map(rounded) }, warnings: warningsOf(lists) }));
  }
}

function rounded({ name, entries, ageSeconds }: SignalListsProvider['states'][number]): object {
  return { list: name, entries, age_seconds: Math.round(ageSeconds) };
}

function warningsOf(lists: SignalListsProvider): string[] {
  return lists.states
    .filter(({ ageSeconds }) => ageSeconds > OLD_SECONDS)
    .map(({ name }) => `the fetched list ${name} could not be had from its source for three days`);
}
