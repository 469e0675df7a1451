import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import { showFigure } from '../platform/metrics/show-gauge.js';
import { showRefusals } from '../platform/http/load/load-metrics.js';
import { ResultStreams } from './result-streams.js';

/** Reports how many result responses are being sent, and how many were refused. */
@Injectable()
export class ResultStreamMetrics {
  constructor(streams: ResultStreams, { registry }: Metrics) {
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
}
