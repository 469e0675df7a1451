import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nothingKnownOf } from '../../src/domains/domain-facts.js';
import { toDomainObject } from '../../src/domains/domain-object.js';
import { SHIPPED_LISTS } from '../../src/engine/signals/shipped-lists.js';
import { LIST_NAMES } from '../../src/engine/signals/refreshable-lists.js';
import * as explanations from './generated/explanation-sections.js';
import * as lists from './generated/list-sections.js';
import { sectionsOf, withSections } from './generated/markdown.js';
import { prometheusRule } from './generated/prometheus-rule.js';
import * as scores from './generated/score-sections.js';
import * as simulation from './generated/simulation-sections.js';

const ROOT = join(__dirname, '../..');
const DOCS = join(ROOT, 'docs');

/** Parts of the documentation that are made of the tables the code runs on. */
const SECTIONS: Readonly<Record<string, () => string>> = {
  reasons: scores.reasons,
  'reason-explanations': explanations.reasonExplanations,
  'diagnosis-explanations': explanations.diagnosisExplanations,
  'grade-points': explanations.gradePoints,
  'grade-letters': explanations.gradeLetters,
  'score-bands': scores.scoreBands,
  'score-weights': scores.scoreWeights,
  'domain-score-version': scores.domainScoreVersion,
  'domain-score-points': scores.domainScorePoints,
  'domain-score-limits': scores.domainScoreLimits,
  'shipped-lists': lists.shippedLists,
  'refreshable-lists': lists.refreshableLists,
  'list-faults': lists.listFaults,
  'relay-services': lists.relayServices,
  'accept-all-providers': lists.acceptAllProviders,
  'domain-types': lists.domainTypes,
  'provider-limits': lists.providerLimits,
  'simulated-shares': simulation.shares,
  'simulated-sources': simulation.sources,
  'simulated-sizes': simulation.sizes,
  'simulated-limits': simulation.limits,
};

const documents = readdirSync(DOCS)
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file: join(DOCS, file), name: file, text: readFileSync(join(DOCS, file), 'utf8') }))
  .filter(({ text }) => sectionsOf(text).length > 0);

it.each(documents.map((document) => [document.name, document] as const))(
  'docs/%s matches the code (`npm run docs:generate` updates it)',
  (_, { file, text }) => {
    const made = withSections(text, SECTIONS);
    if (process.env['DOCS_GENERATE'] === '1') writeFileSync(file, made);
    else expect(text).toBe(made);
  },
);

it('the rules for the Prometheus operator match docker/prometheus/alerts.yml (`npm run docs:generate` updates them)', () => {
  const file = join(ROOT, 'docker/k8s/components/prometheus-operator/prometheus-rule.yaml');
  const made = prometheusRule(readFileSync(join(ROOT, 'docker/prometheus/alerts.yml'), 'utf8'));
  if (process.env['DOCS_GENERATE'] === '1') writeFileSync(file, made);
  else expect(readFileSync(file, 'utf8')).toBe(made);
});

it('every section is in exactly one document', () => {
  const marked = documents.flatMap(({ text }) => sectionsOf(text));
  expect(marked.sort()).toEqual(Object.keys(SECTIONS).sort());
});

it('docs/domains.md lists exactly the fields of the domain object, in order', () => {
  const [, fields = ''] = readFileSync(join(DOCS, 'domains.md'), 'utf8').split('## Fields');
  const shown = [...(fields.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  const object = toDomainObject(nothingKnownOf('example.com'), { types: null, score: null }, null);
  expect(shown).toEqual(Object.keys(object));
});

describe('the table of shipped lists', () => {
  it('has every list, with the installed versions', () => {
    expect([...new Set(SHIPPED_LISTS.map(({ list }) => list))]).toEqual([...LIST_NAMES]);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const { source, version } of SHIPPED_LISTS) {
      const pinned = dependencies[source.replace('npm package ', '')];
      expect([source, pinned ?? null]).toEqual([source, version]);
    }
  });
});
