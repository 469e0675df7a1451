import { Injectable } from '@nestjs/common';
import { LedgerAuditsRepository } from '../../billing/ledger/ledger-audits.repository.js';
import { RefreshedListsRepository } from '../../domains/lists/refreshed-lists.repository.js';
import { LIST_NAMES } from '../../engine/signals/refreshable-lists.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { EgressReports } from '../../platform/egress/egress-reports.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Pauses } from '../../platform/politeness/pauses.js';
import { FailedJobRetriesRepository } from '../../platform/queues/failed-job-retries.repository.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { QueueAges } from '../../platform/queues/queue-ages.js';
import { QueueDepths } from '../../platform/queues/queue-depths.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { AdminAccountsRepository } from './admin-accounts.repository.js';
import type { RetryFailedRequest } from './admin.request.js';
import type {
  BackOff,
  EgressResponse,
  LedgerAuditResult,
  ListState,
  QueuesResponse,
  RetriedResponse,
  SystemReport,
} from './admin.response.js';

const SHOWN = 100;
const REDIS_MS = 2000;
const OLD_SECONDS = 3 * 86_400;

/** How the service is, as `queue status`, `queue retry`, `list status`, `doctor` and `ledger audit` show it. */
@Injectable()
export class AdminSystemService {
  constructor(
    private readonly rows: AdminAccountsRepository,
    private readonly failures: FailedJobRetriesRepository,
    private readonly failed: FailedJobsRepository,
    private readonly depths: QueueDepths,
    private readonly ages: QueueAges,
    private readonly lists: RefreshedListsRepository,
    private readonly egress: EgressReports,
    private readonly pauses: Pauses,
    private readonly audits: LedgerAuditsRepository,
  ) {}

  /** @throws AppError `service_unavailable` without Redis */
  async queues(): Promise<QueuesResponse> {
    const [depths, ages, counts, latest] = await Promise.all([
      this.depths.read(),
      withinDeadline(this.ages.read(), REDIS_MS).catch(() => null),
      this.failed.counts(),
      this.failures.latest(SHOWN),
    ]);
    if (depths === null)
      throw new AppError('service_unavailable', 'Redis does not answer; retry.', { retryAfterSeconds: 2 });
    return {
      queues: [...depths].map(([name, { waiting, active, delayed }]) => ({
        name,
        waiting,
        active,
        delayed,
        failed: counts.get(name) ?? 0,
        oldest_waiting_seconds: waiting === 0 ? null : Math.round((ages?.get(name) ?? 0) / 1000),
      })),
      failed: latest.map(({ queue, jobId, why, failedAt }) => ({
        queue,
        job_id: jobId,
        reason: why,
        failed_at: failedAt.toISOString(),
      })),
    };
  }

  /** @throws AppError `not_found`, `conflict` for work that cannot be retried */
  async retry({ all, queue, job_id: jobId }: RetryFailedRequest, actor: Actor): Promise<RetriedResponse> {
    if (all) return { retried: (await this.failures.retryAll(actor)).retried };
    if (queue === undefined || jobId === undefined) {
      throw new AppError('validation_failed', 'queue and job_id are required, or all must be true');
    }
    const id = await this.rows.failureOf(queue, jobId);
    if (id === null) throw noSuch('failure');
    const outcome = await this.failures.retry(id, actor);
    if (outcome.kind === 'unknown') throw noSuch('failure');
    if (outcome.kind === 'refused') throw new AppError('conflict', `It can't be retried: ${outcome.why}.`);
    return { retried: 1 };
  }

  async report(): Promise<SystemReport> {
    const [lists, egress, politeness, ledger_audit] = await Promise.all([
      this.listStates(),
      withinDeadline(this.egressStates(), REDIS_MS).catch(() => null),
      withinDeadline(this.backOffs(), REDIS_MS).catch(() => null),
      this.lastAudit(),
    ]);
    return { lists, egress, politeness, ledger_audit };
  }

  private async listStates(): Promise<ListState[]> {
    const states = new Map((await this.lists.states()).map((state) => [state.name, state]));
    return LIST_NAMES.map((name) => {
      const state = states.get(name);
      const at = state?.confirmedAt ?? null;
      const age = at === null ? null : Math.max(0, Math.round((Date.now() - at.getTime()) / 1000));
      return {
        name,
        entries: at === null ? 0 : (state?.entries ?? 0),
        refreshed_at: at?.toISOString() ?? null,
        age_seconds: age,
        healthy: age === null ? (state?.refusal ?? null) === null : age <= OLD_SECONDS,
      };
    });
  }

  private async egressStates(): Promise<EgressResponse[]> {
    return (await this.egress.read()).flatMap(({ role, host, egresses }) =>
      egresses.map(({ heloName, heloResolves, reverseMatches, port, failing }) => ({
        process: `${role} on ${host}`,
        helo_name: heloName,
        helo_resolves: heloResolves,
        reverse_dns_matches: reverseMatches,
        port,
        failing,
      })),
    );
  }

  private async backOffs(): Promise<BackOff[]> {
    return (await this.pauses.read()).map(({ group, egressId, domain, refusals, until }) => ({
      host: group.replace(/^(?:provider|domain):/, ''),
      domain,
      egress: egressId,
      refusals,
      until: until.toISOString(),
    }));
  }

  private async lastAudit(): Promise<LedgerAuditResult | null> {
    const audit = await this.audits.latest();
    return audit && { at: audit.endedAt.toISOString(), accounts: audit.accounts, mismatches: audit.mismatches };
  }
}
