/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

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

/** The integration tests, with the module `axios` itself being that version: our import too. */
const integration = (version: string, axiosPackage: string) => ({
  ...shared,
  displayName: `axios ${version}`,
  testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
  moduleNameMapper: { ...relativeTs, '^axios$': axiosPackage },
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
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/integration/'],
      moduleNameMapper: relativeTs,
    },
    integration('latest', 'axios'),
    integration('1.19.0', 'axios-1.19.0'),
    integration('1.16.1', 'axios-1.16.1'),
    integration('1.13.6', 'axios-1.13.6'),
    integration('1.7.9', 'axios-1.7.9'),
    integration('1.6.8', 'axios-1.6.8'),
    integration('1.5.1', 'axios-1.5.1'),
    integration('1.1.3', 'axios-1.1.3'),
    integration('1.0.0', 'axios-1.0.0'),
    integration('0.35.0', 'axios-0.x'),
    integration('0.27.2', 'axios-0.27.2'),
  ],
} satisfies Config;
