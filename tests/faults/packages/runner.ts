/** `@septet/runner` where it is installed: it starts as far as its registration. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { nodeTypesOptions, typeErrors } from '../../support/runner/type-errors';
import type { Installation } from './install';

const use = `
startRunner({ url: 'http://127.0.0.1:9', directory: process.env.DIRECTORY, isolation: 'none' })
  .then(({ left }) => console.log(left));
`;
const files = {
  'use.mjs': `import { startRunner } from '@septet/runner';\n${use}`,
  'use.cjs': `const { startRunner } = require('@septet/runner');\n${use}`,
  'good.mts': `import { type Runner, type RunnerOptions, startRunner } from '@septet/runner';
const options: RunnerOptions = { url: 'https://ci.example.org', labels: ['large'], slots: 2 };
const started = await startRunner(options);
export const runner: Runner | undefined = started._tag === 'Right' ? started.right : undefined;
runner?.drain();\n`,
  'bad.mts': `import { startRunner } from '@septet/runner';
await startRunner({ directory: '.' });\n`,
};

export const describeRunner = (installed: () => Installation): Mocha.Suite =>
  describe('the runner', () => {
    let directory: string;
    before(() => {
      directory = installed().directoryFor('runner', files);
    });

    for (const file of ['use.mjs', 'use.cjs'])
      it(`is used by ${file}`, () => {
        const env = { ...process.env, DIRECTORY: installed().dataFor(`runner-${file}`) };
        const output = execFileSync(process.execPath, [file], { cwd: directory, env, encoding: 'utf8' });
        assert.match(output, /^The runner is not registered/);
      });

    it('is a program', () => {
      const program = installed().program('septet-runner');
      const options = [
        '--url',
        'http://127.0.0.1:9',
        '--isolation',
        'none',
        '--directory',
        installed().dataFor('runner'),
      ];
      const { status, stderr } = spawnSync(program, options, { encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /^The runner is not registered/);
    });

    it('has types, which require whose jobs it takes', () => {
      const [first = '', ...more] = typeErrors(
        directory,
        ['good.mts', 'bad.mts'],
        ['--skipLibCheck', '--target', 'es2023', ...nodeTypesOptions()],
      );
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2741: Property 'url' is missing/);
      assert.deepEqual(more, []);
    });
  });
