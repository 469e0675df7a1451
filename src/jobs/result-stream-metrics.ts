import type { Registry } from 'prom-client';
import { showFigure, showRefusals } from '../platform/http/load/load-metrics.js';
import type { ResultStreams } from './result-streams.js';

export function showResultStreams(registry: Registry, streams: ResultStreams): void {
  showFigure(
    registry,
    'mailvet_result_streams',
    'Answers with results of jobs that are being sent',
    () => streams.count,
  );
  showRefusals(
    registry,
    'mailvet_refused_result_streams_total',
    'Answers with results that were refused, by whose bound was reached: account, process',
    'bound',
    () => streams.refused,
  );
}
