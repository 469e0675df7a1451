import { OptionFault, parseOptions, USAGE } from './options.js';

it('reads numbers, and takes the rest from the usual', () => {
  expect(parseOptions(['--addresses', '1e9', '--egress=400', '--days', '2.5', '--json'], 50)).toEqual({
    addresses: 1e9,
    days: 2.5,
    egress: 400,
    workers: null,
    concurrency: 50,
    jobsAtOnce: 400,
    probed: 0.7,
    json: true,
    help: false,
  });
});

it.each([
  [['--egress', '0'], '--egress must be a whole number from 1 to 100000, such as 100 or 1e3, not "0".'],
  [['--egress', '1.5'], '--egress must be a whole number'],
  [['--addresses', 'many'], '--addresses must be a whole number'],
  [['--probed', '2'], '--probed must be a number from 0.01 to 1'],
  [['--egress', '--json'], '--egress needs a number.'],
  [['--egress'], '--egress needs a number.'],
  [['--json=1'], '--json takes no value.'],
  [['--egres', '4'], "Unknown option '--egres'."],
  [['1e9'], "Unexpected argument '1e9'."],
])('%j is refused: %s', (args, why) => {
  expect(() => parseOptions(args, 50)).toThrow(OptionFault);
  expect(() => parseOptions(args, 50)).toThrow(why);
});

it('says of every option what it is', () => {
  for (const name of ['addresses', 'days', 'egress', 'workers', 'concurrency', 'jobs', 'probed', 'json', 'help'])
    expect(USAGE).toContain(`--${name}`);
});
