import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { isSelected, parseGlob } from '../../../../infra/adapters/workflow-definitions/triggers/glob';

const matches = (pattern: string, text: string): boolean => {
  const glob = parseGlob(pattern);
  assert(isRight(glob), pattern);
  return glob.right.matches(text);
};

/** From GitHub's documentation, "Filter pattern cheat sheet". */
const documented: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['feature/*', ['feature/my-branch', 'feature/your-branch'], ['feature/beta-a/my-branch', 'feature']],
  ['feature/**', ['feature/beta-a/my-branch', 'feature/your-branch', 'feature/mona/the/octocat'], ['feature']],
  ['main', ['main'], ['main2', 'a/main']],
  ['*', ['main', 'releases'], ['all/the/branches']],
  ['**', ['all/the/branches', 'every/tag', 'main'], []],
  ['*feature', ['mona-feature', 'feature', 'ver-10-feature'], ['feature-2', 'a/feature']],
  ['v2*', ['v2', 'v2.0', 'v2.9'], ['v1', 'v2/0']],
  ['v[12].[0-9]+.[0-9]+', ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1..1', 'v1.0']],
  ['*.jsx?', ['page.js', 'page.jsx'], ['page.jsxx', 'lib/page.js']],
  ['**.js', ['index.js', 'js/index.js', 'src/js/app.js'], ['index.jsx']],
  ['docs/*', ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'README.md']],
  ['docs/**', ['docs/README.md', 'docs/mona/octocat.txt'], ['doc/a']],
  ['docs/**/*.md', ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'], ['docs/a.txt']],
  ['**/docs/**', ['docs/hello.md', 'dir/docs/my-file.txt', 'space/docs/plan/space.doc'], ['mydocs/a']],
  ['**/README.md', ['README.md', 'js/README.md', 'a/b/README.md'], ['MYREADME.md']],
  ['**/*src/**', ['a/src/app.js', 'my-src/code/js/app.js'], ['src.js']],
  ['**/*-post.md', ['my-post.md', 'path/their-post.md'], ['post.md']],
  ['**/migrate-*.sql', ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/sept/migrate-v1.sql'], ['migrate.sql']],
  ['a\\*b', ['a*b'], ['axb', 'ab']],
  ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
];

/** The same language as a regular expression, which may take exponential time. */
const asRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll('**', '(?:.*)')
      .replaceAll(/(?<![.)])\*/g, '[^/]*')}$`,
    'u',
  );

describe('patterns of branches, tags and paths', () => {
  for (const [pattern, yes, no] of documented)
    it(`${pattern} matches what GitHub documents`, () => {
      assert.deepEqual(
        [...yes, ...no].filter((text) => matches(pattern, text)),
        yes,
      );
    });

  it('match as the regular expression of the same language does', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '**/', 'a?', 'b+', '[ab]');
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), text, (pieces, candidate) => {
        // A `*` before another one would read as `**`, and a quantifier after `*` is text in no regular expression.
        const separated = pieces.filter((each, at) => !(each.startsWith('*') && pieces[at - 1]?.includes('*')));
        const pattern = separated.join('');
        assert.equal(matches(pattern, candidate), asRegExp(pattern).test(candidate), `${pattern} on ${candidate}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('take time that grows with pattern times text', () => {
    assert.equal(matches('**a'.repeat(300), `${'a'.repeat(4_000)}b`), false);
  });

  it('are refused when a class is not closed, or empty, or goes backwards', () => {
    for (const pattern of ['[ab', '[]', '[z-a]', 'a\\', '', '!']) assert(isLeft(parseGlob(pattern)), pattern);
  });

  it('are decided by the last that matches', () => {
    const globs = ['releases/**', '!releases/**-alpha', 'releases/9-alpha'].map((pattern) => {
      const glob = parseGlob(pattern);
      assert(isRight(glob));
      return glob.right;
    });
    const selected = ['releases/10', 'releases/10-alpha', 'releases/9-alpha', 'main'].filter((text) =>
      isSelected(globs, text),
    );
    assert.deepEqual(selected, ['releases/10', 'releases/9-alpha']);
  });
});
