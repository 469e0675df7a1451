import { HealthDetails } from './health-details.js';

describe('HealthDetails', () => {
  it('is empty if no part adds details', () => {
    expect(new HealthDetails().read()).toEqual({ details: {}, warnings: [] });
  });

  it('reads each part at every call', () => {
    const details = new HealthDetails();
    let warnings: string[] = [];
    details.add('egress', () => ({ state: warnings.length, warnings }));
    warnings = ['a proxy is down'];
    expect(details.read()).toEqual({ details: { egress: 1 }, warnings: ['a proxy is down'] });
  });
});
