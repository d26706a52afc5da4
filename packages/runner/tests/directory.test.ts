/** One runner per directory. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { startRunner } from '../src/index';
import { registrationToken } from './support/control-plane';
import { inRunner } from './support/fixture';

describe('the directory of a runner', function () {
  this.timeout(20_000);

  it('is used by one runner at a time', () =>
    inRunner(
      async ({ plane, directory, runner }) => {
        const options = { url: plane.url, token: registrationToken, directory, isolation: 'none' } as const;
        const second = await startRunner(options);
        assert.ok(isLeft(second));
        assert.match(second.left, new RegExp(`^Another runner, process ${process.pid} \\(.+\\), uses `));
        await runner.close();
        const third = await startRunner(options);
        if (isLeft(third)) assert.fail(third.left);
        await third.right.close();
      },
      { isolation: 'none' },
    ));

  it('keeps its credential where the address of an installation with a name of its own changes', () =>
    inRunner(
      async ({ plane, directory, runner }) => {
        await runner.close();
        const { port } = new URL(plane.url);
        const moved = await startRunner({
          url: `http://localhost:${port}`,
          directory,
          isolation: 'none',
          installation: 'one',
        });
        if (isLeft(moved)) assert.fail(moved.left);
        assert.equal(moved.right.runnerId, runner.runnerId);
        await moved.right.close();
        const other = await startRunner({ url: plane.url, directory, isolation: 'none', installation: 'two' });
        assert.ok(isLeft(other) && /needs a registration token/.test(other.left));
      },
      { isolation: 'none', installation: 'one' },
    ));
});
