import type { Projection, Question } from './projection.js';

/** The projection as lines for people. */
export function reportOf(question: Question, projection: Projection): string {
  const { days, concurrency } = question;
  const rows: readonly (readonly [string, string])[] = [
    ['addresses', `${grouped(question.addresses)}, of which ${grouped(projection.probed)} are probed`],
    ['time', duration(projection.seconds)],
    ['rate', `${short(projection.addressesPerSecond)} probed addresses a second`],
    ['connections', grouped(projection.connections)],
    ['recipients', `${grouped(projection.recipients)} (RCPT)`],
    [
      'workers',
      `${grouped(projection.workers)}: chunks take ${short(projection.places)} places, ${concurrency} in each; processors busy: ${short(projection.cores)}`,
    ],
    ['bottleneck', projection.bottleneck],
    [
      `for ${days} days`,
      `ways out: ${grouped(projection.egressForDays)}; workers: ${grouped(projection.workersForDays)}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    '  Used of each limit:',
    ...projection.uses.slice(0, 6).map(({ what, used }) => `  ${percent(used).padStart(5)}  ${what}`),
    '',
    `  ${howOf(projection)}`,
  ].join('\n');
}

function howOf({ isWhole, scale }: Projection): string {
  if (isWhole) return 'Every job was simulated.';
  const smaller = scale === 1 ? '' : ` of a like system with ${short(scale)} times fewer ways out, workers and jobs`;
  return `Projected from the steady state${smaller}.`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Two significant digits, or a whole number. */
export function short(value: number): string {
  return value >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(2)));
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${short(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${short(seconds / 3600)} h` : `${short(seconds / 86_400)} days`;
}
