import { ListsOfJobs } from './lists-of-jobs.js';

describe('ListsOfJobs', () => {
  it('knows the list of a job as long as a chunk of it runs, and shares it with no other', () => {
    const lists = new ListsOfJobs<string>();
    const first = lists.begin('one');
    expect(lists.begin('one')).toBe(first);
    expect(lists.begin('other')).not.toBe(first);
    lists.end('one');
    expect(lists.begin('one')).toBe(first);
    lists.end('one');
    lists.end('one');
    expect(lists.begin('one')).not.toBe(first);
  });
});
