import { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';

/** What mail hosts taught about the list of each job, for as long as this process runs chunks of it. */
export class ListsOfJobs<Job> {
  private readonly lists = new Map<Job, { readonly list: FirstBatches; runs: number }>();

  begin(job: Job): FirstBatches {
    const known = this.lists.get(job) ?? { list: new FirstBatches(), runs: 0 };
    this.lists.set(job, known);
    known.runs += 1;
    return known.list;
  }

  end(job: Job): void {
    const known = this.lists.get(job);
    if (known === undefined) return;
    known.runs -= 1;
    if (known.runs === 0) this.lists.delete(job);
  }
}
