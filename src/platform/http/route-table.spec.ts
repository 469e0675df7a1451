import { RouteTable } from './route-table.js';

const table = new RouteTable();
table.add('/v1/jobs', ['POST']);
table.add('/v1/jobs', ['GET', 'HEAD']);
table.add('/v1/jobs/:id', ['GET']);
table.add('/v1/jobs/latest', ['PUT']);

describe('RouteTable', () => {
  it.each([
    ['/v1/jobs', ['GET', 'HEAD', 'POST']],
    ['/v1/jobs?limit=1', ['GET', 'HEAD', 'POST']],
    ['/v1/j%6fbs', ['GET', 'HEAD', 'POST']],
    ['/v1/jobs/17', ['GET']],
    ['/v1/jobs/latest', ['GET', 'PUT']],
    ['/v1/jobs/', []],
    ['/v1/jobs/17/results', []],
    ['/v1/Jobs', []],
    ['/v1/jobs%zz', []],
    ['', []],
  ])('%s accepts %j', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});
