/** Tools that a person runs by a script of package.json: each explains itself, and names what it does not know. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { packageScripts, runScript } from '../../support/processes/package-scripts';

/** Scripts that run other people's programs, or several scripts: their options are not ours. A package's program has a name of its own. */
const others: readonly string[] = [
  'check',
  'check:types',
  'check:format',
  'check:lint',
  'check:arrows',
  'check:client',
  'check:dead',
  'build:packages',
  'format',
  'runner',
];

/** Options that a usage line names. */
const optionsIn = (help: string): ReadonlySet<string> => new Set(help.match(/--[a-z][\w-]*/g) ?? []);

describe('tools that a person runs', function () {
  this.timeout(120_000);
  const home = useTemporaryDirectory('command-lines');

  for (const name of Object.keys(packageScripts).filter((one) => !others.includes(one)))
    it(`npm run ${name} explains itself and each of its options, and names an option that it does not know`, async () => {
      const { code, stdout, stderr } = await runScript(name, ['--help']);
      assert.deepEqual([code, stderr], [0, '']);
      const called = ['start', 'test'].includes(name) ? `npm ${name} --` : `npm run ${name} --`;
      assert.ok(stdout.startsWith(`Usage: ${called}`), stdout);
      for (const option of optionsIn(stdout))
        assert.match(stdout, new RegExp(`^ +${option}( \\S+)?(\\n)? +\\S+`, 'm'), `${option} is not explained`);
      const [, command = ''] = /^ {2}([a-z][\w-]*)/m.exec(stdout) ?? [];
      const unknown = await runScript(name, [...(command === '' ? [] : [command]), '--nonsense']);
      assert.equal(unknown.code, 2);
      assert.equal(unknown.stdout, '');
      assert.match(unknown.stderr, /^There is no option --nonsense\./);
      assert.ok(unknown.stderr.includes(`Usage: ${called}`), unknown.stderr);
    });

  it('npm run secrets writes nothing without a directory', async () => {
    const { code, stderr } = await runScript('secrets', [], { directory: home });
    assert.equal(code, 2);
    assert.match(stderr, /^<directory> is missing\.\nUsage: npm run secrets -- <directory>\n/);
    assert.deepEqual(readdirSync(home), []);
  });
});
