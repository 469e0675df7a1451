import type { ServerResponse } from 'node:http';
import { AccountRequests } from './account-requests.js';

const MOST = 4000;

function setUp() {
  const open: ServerResponse[] = [];
  const requests = new AccountRequests(() => MOST - open.length);
  const begin = (account: string): boolean => {
    const response = { destroyed: false } as ServerResponse;
    try {
      requests.begin(account, response);
    } catch {
      return false;
    }
    open.push(response);
    return true;
  };
  const beginAll = (account: string): number => {
    let begun = 0;
    while (begin(account)) begun += 1;
    return begun;
  };
  const end = (): void => requests.end(open.shift()!);
  return { begin, beginAll, end, open };
}

describe('requests of an account', () => {
  it('leave a quarter free, and those of each further account some', () => {
    const { beginAll } = setUp();
    expect(['one', 'two', 'three', 'four', 'five'].map(beginAll)).toEqual([3000, 750, 188, 47, 12]);
  });

  it('are let in again when others have been answered', () => {
    const { begin, beginAll, end, open } = setUp();
    beginAll('one');
    expect(begin('one')).toBe(false);
    end();
    expect([begin('one'), begin('one')]).toEqual([true, false]);
    while (open.length > 0) end();
    expect(beginAll('two')).toBe(3000);
  });
});
