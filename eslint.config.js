import eslint from '@eslint/js';
import jest from 'eslint-plugin-jest';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const subPaths = 'prometheus|opentelemetry|status|redis|bullmq|testing|stale';

/** Imports point one way: circuit-breaker → http → circuit. */
const mayNotImport = (files, group, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: group, message }] }] },
});

export default defineConfig(
  globalIgnores(['dist', 'coverage', 'reports', '.stryker-tmp', '.nodes']),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // Brands are getters: they cost no field of an error, and no log prints them.
      '@typescript-eslint/class-literal-property-style': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // Their indices are taken modulo the length.
    files: ['src/circuit/*-window.ts', 'src/status/latency.ts', 'src/status/timeline.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  mayNotImport(['src/circuit/**'], '^(?!\\./)', 'src/circuit imports only itself.'),
  mayNotImport(
    ['src/http/**'],
    `^\\.\\./(circuit-breaker|index|function-breaker|fallback|${subPaths})`,
    'src/http asks a circuit and knows axios, nothing above it.',
  ),
  mayNotImport(
    ['src/*.ts', 'src/fallback/**'],
    `^\\.\\.?/(${subPaths})/`,
    'The core never imports a sub-path export.',
  ),
  {
    files: ['test/**/*.ts'],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expect*', 'request.**.expect', 'fc.assert'] },
      ],
    },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
);
