import { defaultHeloName } from './default-helo-name.js';

describe('defaultHeloName', () => {
  it.each([
    ['Verify-1.Example.com', 'verify-1.example.com'],
    ['3f9c1d2e4b5a', '3f9c1d2e4b5a.localdomain'],
    ['my_machine', 'localhost.localdomain'],
    ['', 'localhost.localdomain'],
  ])('of a machine called %j is %s', (hostName, heloName) => {
    expect(defaultHeloName(hostName)).toBe(heloName);
  });
});
