'use strict';

/**
 * One transform for our TypeScript and for the dependencies that ship only ES modules: jest on Node 20
 * cannot require() them. A dependency that fails with "Must use import" belongs on `esModuleOnly`.
 */
const esModuleOnly = [
  '@seriousme',
  '@nestjs',
  '@standard-schema',
  'load-esm',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'cookie',
  'content-disposition',
  'openid-client',
  'oauth4webapi',
  'jose',
  'openapi-typescript',
  'parse-json',
  'index-to-position',
  'supports-color',
  'change-case',
  // No ES module, but it loads `http` by an `import()`.
  '@opentelemetry/otlp-exporter-base',
];

const shared = {
  rootDir: __dirname,
  // Not what the scripts unpack, install and build beside them.
  roots: [
    '<rootDir>/src',
    '<rootDir>/simulator',
    '<rootDir>/test',
    '<rootDir>/web/src',
    '<rootDir>/clients/typescript/src',
  ],
  testEnvironment: '<rootDir>/test/support/kept-environment.cjs',
  runtime: '<rootDir>/test/support/shared-dependencies.cjs',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/support/patience.ts', '<rootDir>/test/support/short-stacks.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.(ts|m?js)$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModuleOnly.join('|')})/)`],
};

/** Each kind of test by the suffix of its file; what a kind may touch is said in ARCHITECTURE.md. */
const kinds = {
  unit: '/(src|simulator)/.+\\.spec\\.ts$',
  lab: '/test/.+\\.lab-spec\\.ts$',
  integration: '/test/.+\\.int-spec\\.ts$',
  contract: '/test/.+\\.contract-spec\\.ts$',
  e2e: '/test/.+\\.e2e-spec\\.ts$',
  browser: '/test/.+\\.browser-spec\\.ts$',
  mta: '/test/.+\\.mta-spec\\.ts$',
};

/** Every answer that an end-to-end test gets from the API is held to docs/openapi.json. */
const watched = [...shared.setupFilesAfterEnv, '<rootDir>/test/support/openapi/watch-fetch.ts'];

module.exports = {
  testSequencer: '<rootDir>/test/support/long-files-first.cjs',
  projects: Object.entries(kinds).map(([displayName, testRegex]) => ({
    ...shared,
    displayName,
    testRegex,
    ...(displayName === 'e2e' ? { setupFilesAfterEnv: watched } : {}),
  })),
};
