'use strict';

/** The arrows of ARCHITECTURE.md. Every rule is an error, and its comment says what it protects. */
const features = [
  'auth',
  'billing',
  'rate-limit',
  'domains',
  'verify',
  'jobs',
  'guard',
  'webhooks',
  'console',
  'verify-file',
];
/** feature -> features it may import */
const mayImport = {
  auth: [],
  'rate-limit': ['auth'],
  billing: ['auth', 'webhooks'],
  domains: [],
  guard: ['auth', 'billing'],
  verify: ['auth', 'billing', 'domains', 'guard', 'webhooks'],
  jobs: ['auth', 'billing', 'domains', 'verify', 'webhooks'],
  webhooks: ['auth'],
  console: ['auth', 'billing', 'rate-limit', 'domains', 'verify', 'jobs', 'guard', 'webhooks'],
  'verify-file': ['verify'],
};
/** Folders of the platform, from the bottom to the top. */
const platform = [
  'errors',
  'ids',
  'csv',
  'collections',
  'caching',
  'validation',
  'process',
  'egress',
  'scheduling',
  'batching',
  'https',
  'config',
  'sealing',
  'dns',
  'redis',
  'politeness',
  'tracing',
  'logging',
  'database',
  'audit',
  'cli',
  'metrics',
  'http',
  'openapi',
  'health',
  'metrics-endpoint',
  'queues',
];
const anyFeature = `^src/(${features.join('|')})/`;
const sockets = '^(node:)?(net|tls|dgram|http|https|http2|dns)(/|$)';

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'A cycle has no bottom to start reading from, and breaks decorated classes at load time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...platform.map((folder, index) => ({
      name: `platform-${folder}-arrows`,
      comment: 'A folder of the platform imports those above it in the list only, so that no two import each other.',
      severity: 'error',
      from: { path: `^src/platform/${folder}/`, pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/platform/[^/]+/', pathNot: `^src/platform/(${platform.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'platform-folders-are-listed',
      comment: 'A new folder of the platform gets its place in the list.',
      severity: 'error',
      from: { path: '^src/platform/[^/]+/', pathNot: `^src/platform/(${platform.join('|')})/` },
      to: {},
    },
    {
      name: 'engine-is-a-library',
      comment:
        'The engine serves the API, the worker, the command line and the tests alike: it imports nothing of ours.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/(?!engine/)' },
    },
    {
      name: 'engine-without-framework',
      comment: 'No Nest, database or queue in the engine.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: 'node_modules/(@nestjs|typeorm|mysql2|bullmq|ioredis|fastify|pino|@opentelemetry)' },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'Technology without a business word.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: [anyFeature, '^src/roles/'] },
    },
    {
      name: 'features-do-not-wire',
      comment: 'Roles are made of features, never the other way round.',
      severity: 'error',
      from: { path: anyFeature },
      to: { path: ['^src/roles/', '^src/[^/]+\\.ts$'] },
    },
    ...features.map((feature) => ({
      name: `${feature}-arrows`,
      comment: `${feature} may import ${mayImport[feature].join(', ') || 'no other feature'} (ARCHITECTURE.md).`,
      severity: 'error',
      from: { path: `^src/${feature}/` },
      to: { path: anyFeature, pathNot: `^src/(${[feature, ...mayImport[feature]].join('|')})/` },
    })),
    {
      name: 'webhooks-outbox-alone',
      comment: 'Features write events; who sends them, and where, is no matter of theirs.',
      severity: 'error',
      from: { path: '^src/(billing|verify|jobs|guard)/' },
      to: { path: '^src/webhooks/', pathNot: '^src/webhooks/outbox/' },
    },
    {
      name: 'sql-in-repositories',
      comment: 'SQL stands in repositories, entities, migrations and platform/database, nowhere else.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '(\\.(repository|entity|module|spec)\\.ts$|^src/platform/database/)',
      },
      to: { path: 'node_modules/(typeorm|mysql2|@nestjs/typeorm)' },
    },
    {
      name: 'charged-by-the-interceptor',
      comment:
        'A call is charged by MeteringInterceptor: a handler has @Metered() and returns what it found and costs.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/billing/(metering|charging)/|^src/billing/billing\\.module\\.ts$' },
      to: { path: '^src/billing/(metering/.*\\.(service|repository|interceptor)|charging/.*)\\.ts$' },
    },
    {
      name: 'queues-in-the-platform',
      comment: 'BullModule makes every queue and worker: processors and producers know @nestjs/bullmq alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/queues/' },
      to: { path: 'node_modules/bullmq/' },
    },
    {
      name: 'queues-and-workers-in-one-place',
      comment:
        'Whoever imports a class of bullmq could make a worker that does not drain, or a queue on its own connection.',
      severity: 'error',
      from: {
        path: '^src/platform/queues/',
        pathNot: '^src/platform/queues/(queue-without-error-log|backoff-worker|queue-worker-host)\\.ts$',
      },
      to: { path: 'node_modules/bullmq/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nestjs-bullmq-in-queues-and-processors',
      comment:
        'A feature knows its producers and processors; queues are registered, and workers begin, in platform/queues.',
      severity: 'error',
      from: { path: '^src/', pathNot: '(\\.(queue|processor)\\.ts$|^src/platform/queues/)' },
      to: { path: 'node_modules/@nestjs/bullmq' },
    },
    {
      name: 'requests-are-classes',
      comment:
        'Requests and payloads of queues are validated by class-validator classes, which the OpenAPI document is made of too; zod, a second source of the same, is for tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/zod' },
    },
    {
      name: 'document-in-controllers',
      comment:
        'Workers and commands do not load @nestjs/swagger: classes that the document is made of are types to everything but controllers.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '\\.(controller|request|response|examples)\\.ts$|^src/(platform/openapi|roles)/|-headers\\.ts$',
      },
      to: { path: 'node_modules/@nestjs/swagger' },
    },
    {
      name: 'sockets-where-they-belong',
      comment: 'Connections are opened by engine/dns, engine/smtp and platform only, so that one rule guards them all.',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/(engine/(dns|smtp)|platform)/|\\.spec\\.ts$)' },
      to: { path: sockets, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'opentelemetry-in-tracing',
      comment: 'Who is traced knows nothing of it: spans are put around ports where they are wired.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/tracing/otel/' },
      to: { path: 'node_modules/@opentelemetry' },
    },
    {
      name: 'tracing-is-loaded-when-it-is-on',
      comment: 'Off it costs nothing: only an `import()` where it is started reaches what loads the SDK.',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/platform/tracing/otel/|\\.spec\\.ts$)' },
      to: { path: '^src/platform/tracing/otel/', dynamic: false },
    },
    {
      name: 'clients-stand-alone',
      comment: 'A client is installed without the product, and the product has no need of it.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^clients/|node_modules/@mailvet/(client|mcp)' },
    },
    {
      name: 'tests-stay-out-of-the-product',
      comment: 'The product has no test hooks.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'declared-dependencies-only',
      comment: 'What the product imports is pinned in package.json under dependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'undetermined'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
