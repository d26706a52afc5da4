/** Expressions that are drawn, and the evaluator beside the one of GitHub's library. */
import fc from 'fast-check';
import {
  type Expressions,
  loadExpressionLibrary,
  openExpressions,
} from '../../../packages/workflow-expressions/src/index';

export const openFor = async (use: 'job' | 'step'): Promise<Expressions> =>
  openExpressions(await loadExpressionLibrary(), { for: use });

/** As workflow files write it. */
export const template = (text: string): string => `$\{{ ${text} }}`;

export const contexts = {
  github: {
    ref: 'refs/heads/main',
    Sha: 'abc',
    event: {
      number: 7,
      commits: [
        { id: 'a', files: ['x', 'ı'] },
        { id: 'b', files: [] },
      ],
      text: '{"a":[1,{"b":null}]}',
    },
  },
  env: { NAME: 'x', empty: '', brace: '{0}{{}}' },
  matrix: { os: 'linux', list: [1, 'Two', null, true, [2, [3]]], half: 0.1 },
  needs: { build: { result: 'success', outputs: { go: 'yes' } } },
  steps: {},
};

const literal = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '1', '-2.5', '0xff', '1e3', 'NaN', 'Infinity'),
  fc.string({ maxLength: 6 }).map((text) => `'${text.replaceAll("'", "''").replace(/[^ -~']/g, '')}'`),
  fc.constantFrom("'{0}'", "'{0}{1}'", "'[1,2]'", '\'{"A":1,"a":2}\'', "'ref'", "'*'", "'1'"),
);

const access = fc
  .tuple(
    fc.constantFrom('github', 'env', 'matrix', 'needs', 'steps', 'GITHUB', 'vars'),
    fc.array(
      fc.constantFrom(
        '.ref',
        '.sha',
        '.event',
        '.commits',
        '.files',
        '.*',
        '[*]',
        '[0]',
        "['list']",
        '.list',
        '.name',
        '[1.9]',
        '.text',
        '.missing',
      ),
      { maxLength: 4 },
    ),
  )
  .map(([name, path]) => `${name}${path.join('')}`);

/** Of every function and operator, nested. */
export const anyExpression: fc.Arbitrary<string> = fc.letrec<{ node: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(literal, access),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(tie('node'), fc.constantFrom('==', '!=', '<', '<=', '>', '>=', '&&', '||'), tie('node'))
      .map((parts) => `(${parts.join(' ')})`),
    tie('node').map((inner) => `!${inner}`),
    fc.tuple(fc.constantFrom('toJSON', 'fromJSON'), tie('node')).map(([name, inner]) => `${name}(${inner})`),
    fc
      .tuple(fc.constantFrom('contains', 'startsWith', 'endsWith', 'join', 'format'), tie('node'), tie('node'))
      .map(([name, one, other]) => `${name}(${one}, ${other})`),
    fc
      .tuple(fc.constantFrom('format', 'case'), tie('node'), tie('node'), tie('node'))
      .map(([name, ...args]) => `${name}(${args.join(', ')})`),
    fc
      .tuple(tie('node'), fc.constantFrom('.*', '[0]', '.a', "['B']", '[*].id'))
      .map(([inner, path]) => `(${inner})${path}`),
  ),
})).node;
