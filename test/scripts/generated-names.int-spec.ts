import { callScriptFunction } from './script-function.js';

const badNames = (source: string): Promise<unknown> => callScriptFunction('generated-names.mjs', 'badNames', source);

describe('the check of what generators write', () => {
  it.each([
    [
      'hides a name of the language',
      'export type Error = { code: string };\nexport interface Response {}',
      ['Error', 'Response'],
    ],
    ['is numbered, as another one was there before', 'export type Job = string;\nexport type Job2 = Job;', ['Job2']],
  ])('finds a name that %s', async (_, source, bad) => {
    expect(await badNames(source)).toEqual(bad);
  });

  it('accepts names by status', async () => {
    const source =
      'export interface ErrorResponse {}\nexport type getJobResponse200 = {};\nexport const getJob = () => 0;';
    expect(await badNames(source)).toEqual([]);
  });
});
