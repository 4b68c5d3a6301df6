/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/** Everything that runs our sources in this process, with the newest axios: Stryker takes no projects. */
export default {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/(package|docs|examples|status|types|browser|redis|bullmq)/',
    '<rootDir>/test/bench/soak',
    // Stryker cannot see into jsdom, which these ask for.
    '-xhr\\.test\\.ts$',
  ],
} satisfies Config;
