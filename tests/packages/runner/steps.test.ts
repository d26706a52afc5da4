/** What steps are made of: command files, commands and shells. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import { parseAssignments, parsePaths } from '../../../packages/runner/src/job/command-files';
import { shellCommand } from '../../../packages/runner/src/job/shells';
import { parseCommand } from '../../../packages/runner/src/job/workflow-commands';

describe('files of commands', () => {
  const name = fc.stringMatching(/^[A-Z_]{1,10}$/);
  const value = fc
    .array(fc.stringMatching(/^[ -~é]{0,20}$/), { minLength: 1, maxLength: 4 })
    .map((lines) => lines.join('\n'));

  it('give back what was written, in one line or in several', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
        const text = pairs.map(([key, content]) =>
          content.includes('\n') ? `${key}<<ghadelimiter_1\n${content}\nghadelimiter_1\n` : `${key}=${content}\n`,
        );
        assert.deepEqual(parseAssignments(text.join('')), right(pairs));
      }),
    ));

  it('without a value or an end are refused', () => {
    for (const text of ['word', 'name<<END\nvalue', '=value', 'name<<\nx'])
      assert.ok(isLeft(parseAssignments(text)), text);
    assert.deepEqual(parsePaths('/a\n\n/b\r\n'), ['/a', '/b']);
  });
});

describe('commands in lines', () => {
  it('have properties and a message', () => {
    assert.deepEqual(parseCommand('::error file=a%3A.ts,line=3,title=a%2Cb::not%0Agood: x::y'), {
      name: 'error',
      properties: { file: 'a:.ts', line: '3', title: 'a,b' },
      message: 'not\ngood: x::y',
    });
    assert.deepEqual(parseCommand('::endgroup::'), { name: 'endgroup', properties: {}, message: '' });
    for (const text of ['std::string', 'text ::error::', '::', '::error', ':: error::x'])
      assert.equal(parseCommand(text), undefined, text);
  });

  it('are read in time that grows with the line', () => {
    const began = performance.now();
    for (const text of [`::error${' '.repeat(65_000)}:`, `${' '.repeat(65_000)}::`, `::${'a:'.repeat(32_000)}`])
      assert.equal(parseCommand(text), undefined);
    assert.ok(performance.now() - began < 1_000, `${performance.now() - began} ms`);
  });
});

describe('shells', () => {
  it('run a script by its name, its path in the place of {0}', () => {
    const argv = (shell: string | null) => {
      const command = shellCommand(shell);
      return isLeft(command) ? command.left : command.right.argv('/work/s');
    };
    assert.deepEqual(argv(null), ['bash', '-e', '/work/s']);
    assert.deepEqual(argv('bash'), ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '/work/s']);
    assert.deepEqual(argv('perl -w "-I a b" {0}'), ['perl', '-w', '-I a b', '/work/s']);
    assert.match(String(argv('fish')), /not known/);
  });
});
