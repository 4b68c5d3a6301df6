/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import axiosVersions from './test/support/axios-versions.json' with { type: 'json' };

const shared = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
    // ES modules alone, which Jest cannot load as they are.
    '/@nestjs/axios/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/axios/)'],
} satisfies Config;

const relativeTs = { '^(\\.{1,2}/.*)\\.js$': '$1' };

interface AxiosVersion {
  readonly version: string;
  /** Of the package in node_modules. */
  readonly name: string;
  readonly xhr?: boolean;
}

/** The integration tests, with the module `axios` itself being that version: our import too. */
const integration = ({ version, name, xhr = false }: AxiosVersion) => ({
  ...shared,
  displayName: `axios ${version}`,
  testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
  // A page of jsdom for each is slow: the first, the last, and those between that differ.
  testPathIgnorePatterns: xhr ? [] : ['-xhr\\.test\\.ts$'],
  moduleNameMapper: { ...relativeTs, '^axios$': name },
});

export default {
  // A test waits for what it waits for, on a busy machine too.
  testTimeout: 30_000,
  // Half of the time a test waits: for a server, a browser, another process.
  maxWorkers: '100%',
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      globalSetup: '<rootDir>/test/support/programs.ts',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/integration/'],
      moduleNameMapper: relativeTs,
    },
    ...axiosVersions.map(integration),
  ],
} satisfies Config;
