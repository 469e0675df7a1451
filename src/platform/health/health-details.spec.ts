import { HealthDetails } from './health-details.js';

describe('HealthDetails', () => {
  it('has nothing to say where nobody adds anything', () => {
    expect(new HealthDetails().read()).toEqual({ details: {}, warnings: [] });
  });

  it('reads each part anew, whenever it is asked', () => {
    const details = new HealthDetails();
    let warnings: string[] = [];
    details.add('egress', () => ({ state: warnings.length, warnings }));
    warnings = ['a proxy is down'];
    expect(details.read()).toEqual({ details: { egress: 1 }, warnings: ['a proxy is down'] });
  });
});
