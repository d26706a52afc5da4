// Biome formats and lints; eslint only holds the five rules that need types, and the bans of docs/recipe.md.
const typescript = require('typescript-eslint');

const bannedEverywhere = [
  {
    selector:
      "CallExpression[callee.property.name='on'][arguments.0.value='data'] > :matches(ArrowFunctionExpression, FunctionExpression)[async=true]",
    message: 'An async data listener runs its calls at once and overtakes itself: use for await.',
  },
];
const bannedInEvents = [
  {
    selector: "MemberExpression[object.name='t'][property.name='number']",
    message: 't.number accepts NaN, which JSON stores as null: use finite.',
  },
  {
    selector: "MemberExpression[object.name='t'][property.name='type']",
    message: 't.type keeps unknown keys: use t.strict.',
  },
  {
    selector: "MemberExpression[object.name='t'][property.name='intersection']",
    message: 't.intersection of stricts keeps unknown keys.',
  },
];

module.exports = typescript.config(
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: typescript.parser, parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    plugins: { '@typescript-eslint': typescript.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-syntax': ['error', ...bannedEverywhere],
    },
  },
  {
    files: ['domain/**/*.ts'],
    // Where the safe forms are made of them.
    ignores: ['domain/kernel/codec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...bannedEverywhere, ...bannedInEvents] },
  },
);
