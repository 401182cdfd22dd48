// What `npm run lint` holds, beside the format. Each rule has been seen to find a fault here; a line that has a reason
// to break one says so: `// eslint-disable-next-line RULE -- reason`.
import js from '@eslint/js';
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** `test(…)` of node:test returns a promise that the runner itself awaits. */
const awaitedByTheRunner = [
  { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] },
  { from: 'file', name: 'inBrowser' },
];

export default defineConfig(
  { ignores: ['**/dist/', '**/node_modules/', '**/*.generated.ts', 'engine/assembly/', 'lint/'] },
  js.configs.recommended,
  comments.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@eslint-community/eslint-comments/require-description': 'error',
      eqeqeq: 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-control-regex': 'off', // what a terminal obeys and what a byte is called are control characters
      'no-regex-spaces': 'off', // columns of a table
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        Buffer: 'readonly',
        console: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        FormData: 'readonly',
        Blob: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}/..` } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // `return print(answer)` ends a function whose value nobody takes
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // spreading a text gives its code points, which is what is meant here
      '@typescript-eslint/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'string' }, 'string'] }],
      // an index that is known to be in range: the compiler takes every one for a miss
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // takes an object of the same shape for a fault
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // rows of a database and answers of a service have the type that their one caller names
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // an asynchronous interface has implementations that wait for nothing, a stepwise one those that take no step
      '@typescript-eslint/require-await': 'off',
      'require-yield': 'off',
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowArray: true, allow: ['URL', 'URLSearchParams'] },
      ],
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: awaitedByTheRunner }],
      '@typescript-eslint/return-await': 'error',
    },
  },
  {
    files: ['engine/**/*.ts'], // an index is taken for one in range here, also where the next line checks
    rules: { '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  {
    files: ['client/src/operations.ts'], // made from the contract, where some operations have no parameter
    rules: { '@typescript-eslint/no-empty-object-type': 'off' },
  },
  {
    // what a test checks are answers of a service, of which no type is assumed
    files: ['**/*.test.ts', '**/*.test.*.ts'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }], // handlers of servers of a test
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off', // messages of assertions
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
