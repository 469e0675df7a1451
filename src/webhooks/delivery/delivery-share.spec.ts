import { MAX_ENDPOINTS } from '../endpoints/endpoints.repository.js';
import { deliveryShare } from './delivery-share.js';

it('the share of an endpoint is ten at most, and all of them together have twenty', () => {
  const shares = Array.from({ length: MAX_ENDPOINTS }, (_, i) => deliveryShare(i + 1));
  expect(shares).toEqual([10, 10, 6, 5, 4, 3, 2, 2, 2, 2]);
});
