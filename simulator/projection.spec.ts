import { findProvider } from '../src/engine/smtp/providers/find-provider.js';
import { defaultInternet, type Internet } from './internet.js';
import { JobLists } from './job-list.js';
import { productSettings } from './product-settings.js';
import { project, type Question } from './projection.js';
import { reportOf } from './report.js';

const settings = productSettings();
const usual = defaultInternet(settings.connectTimeoutMs);
/** Half of it at a provider with thirty recipients a minute. */
const small: Internet = {
  ...usual,
  classes: [
    { name: 'Outlook.com', share: 0.5, host: 'outlook-com.olc.protection.outlook.com', domains: 4 },
    { name: 'others', share: 0.5, host: null, domains: { perDomain: 2 } },
  ],
};
/** Two hundred addresses of a job are probed, so that a test is short. */
const QUESTION: Question = {
  addresses: 1e6,
  days: 1,
  egress: 10,
  workers: null,
  concurrency: settings.concurrency,
  jobsAtOnce: 20,
  probed: 0.02,
};

it('has the shares of all classes together, each provider in the table', () => {
  expect(usual.classes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  for (const { host } of usual.classes) if (host !== null) expect([host, findProvider(host)]).not.toContain(null);
});

it('makes jobs of the size that is asked for, with the shares of the internet', () => {
  const lists = new JobLists(usual);
  const jobs = Array.from({ length: 3 }, () => lists.next(1000));
  for (const job of jobs) expect(job).toHaveLength(1000);
  const gmail = jobs.flat().filter(({ domain }) => domain.host.group === 'provider:google');
  expect(gmail.length / jobs.flat().length).toBeCloseTo(0.3, 2);
});

it('knows what a single address takes', () => {
  const { seconds, probed } = project({ ...QUESTION, addresses: 1, probed: 1 }, usual, settings);
  expect(probed).toBe(1);
  expect(seconds).toBeLessThan(60);
});

it('simulates every job of a few', () => {
  const { isWhole, probed, seconds, recipients } = project({ ...QUESTION, addresses: 20_000 }, small, settings);
  expect({ isWhole, probed }).toEqual({ isWhole: true, probed: 400 });
  expect(seconds).toBeGreaterThan(0);
  expect(recipients).toBeGreaterThan(350);
});

it('names the limit that is used up, and takes as long as that limit says', () => {
  const { bottleneck, seconds } = project(QUESTION, small, settings);
  expect(bottleneck).toMatch(/^the limit of Outlook\.com.*, 30 recipients a minute/);
  const atLeast = (1e6 * 0.02 * 0.5) / (30 / 60) / QUESTION.egress;
  expect(seconds / atLeast).toBeGreaterThan(0.9);
  expect(seconds / atLeast).toBeLessThan(1.3);
});

it('takes half as long with twice the ways out and jobs, and needs as many ways out for the days', () => {
  const [one, two] = [1, 2].map((times) =>
    project({ ...QUESTION, addresses: 1e8, egress: 10 * times, jobsAtOnce: 20 * times }, small, settings),
  );
  expect(one!.seconds / two!.seconds).toBeCloseTo(2, 0);
  expect(one!.egressForDays / two!.egressForDays).toBeCloseTo(1, 1);
});

it('comes to the same whether it simulates a system or one that is smaller', () => {
  const [smaller, larger] = [2, 8].map((egress) =>
    project({ ...QUESTION, addresses: 1e6 * egress, egress, jobsAtOnce: 2 * egress, workers: egress }, small, settings),
  );
  expect(smaller!.scale).toBe(1);
  expect(larger!.scale).toBe(4);
  expect(smaller!.seconds / larger!.seconds).toBeCloseTo(1, 1);
});

it('names the places of workers, or jobs at once, where those are too few', () => {
  const crowd = { ...QUESTION, egress: 2000, jobsAtOnce: 2000 };
  expect(project({ ...crowd, workers: 1 }, small, settings).bottleneck).toBe('places in workers');
  expect(project({ ...QUESTION, jobsAtOnce: 1 }, small, settings).bottleneck).toMatch(/^jobs at once/);
});

it('is told in words', () => {
  const question = { ...QUESTION, addresses: 10_000 };
  const report = reportOf(question, project(question, small, settings));
  for (const word of [
    '10,000, of which 200 are probed',
    'connections',
    'bottleneck',
    'for 1 days   ways out: 1; workers: 1',
    'Every job was',
  ])
    expect(report).toContain(word);
});
