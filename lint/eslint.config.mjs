// What `npm run lint` holds, beside the format. Each rule has been seen to find a fault here; a line that has a reason
// to break one says so: `// eslint-disable-next-line RULE -- reason`. Rules about types are in scripts/lint: here they took a minute of processor time and 3 GB.
import js from '@eslint/js';
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist/', '**/node_modules/', '**/*.generated.ts', 'engine/assembly/'] },
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
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // an index that is known to be in range: the compiler takes every one for a miss
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // a stepwise interface has implementations that take no step
      'require-yield': 'off',
    },
  },
  {
    files: ['{client,console,cli,testing,benchmarks,system-tests}/**/*.{ts,tsx}', 'server/src/**/*.ts'],
    ignores: ['server/src/errors.ts', 'server/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ":not(CallExpression[callee.property.name='slice']) > UnaryExpression[operator='-'] > Literal[value>1000][value<3000]",
          message: 'a code of an error has a name: `errorCodes` of the client, `errors` of the server',
        },
      ],
    },
  },
  {
    // what a test checks are answers of a service, of which no type is assumed
    files: ['**/*.test.ts', '**/*.test.*.ts'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
);
