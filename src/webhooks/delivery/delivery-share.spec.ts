import { deliveryShare } from './delivery-share.js';

const TEN = Array.from({ length: 10 }, (_, i) => `e${i}`);
const share = (endpoint: string, sending: Record<string, number>, endpoints = TEN): number =>
  deliveryShare(endpoint, endpoints, new Map(Object.entries(sending)));

describe('the share of an endpoint', () => {
  it('is ten where nothing else is under way', () => {
    expect(share('e0', {})).toBe(10);
    expect(share('e0', { e0: 4 })).toBe(6);
    expect(share('e0', { e0: 10 })).toBe(0);
  });

  it('leaves a place for each idle endpoint, and twenty in all', () => {
    const sending: Record<string, number> = {};
    for (const endpoint of TEN) sending[endpoint] = share(endpoint, sending);
    expect(sending).toEqual({ e0: 10, e1: 2, ...Object.fromEntries(TEN.slice(2).map((id) => [id, 1])) });
    expect(share('e5', sending)).toBe(0);
  });

  it('is never less than nothing', () => {
    expect(share('new', { e0: 10, e1: 10 }, ['e0', 'e1', 'new', 'newer'])).toBe(0);
  });
});
