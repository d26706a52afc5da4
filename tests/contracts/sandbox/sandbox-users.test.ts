/** Users of sandboxes: open ones never share one, in whatever process they are. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { reserveUser } from '../../../packages/sandbox/src/sandbox-users';
import { exitOf } from '../../support/processes/child-exit';
import { typescript } from '../../support/runner/compiled';

/** Outside the range that sandboxes draw from, and different in each run of these tests. */
const first = 1_900_000_000 + (process.pid % 1_000_000) * 10;

const drawing = (...uids: readonly number[]): (() => number) => {
  let index = -1;
  return () => {
    index += 1;
    return uids[Math.min(index, uids.length - 1)] as number;
  };
};

describe('a user of a sandbox', () => {
  it('is another one while it is in use, and free again afterwards', async () => {
    const used = await reserveUser(drawing(first));
    assert.equal(used?.uid, first);
    const next = await reserveUser(drawing(first, first, first + 1));
    assert.equal(next?.uid, first + 1);
    await used.release();
    const again = await reserveUser(drawing(first));
    assert.equal(again?.uid, first);
    await Promise.all([next.release(), again.release()]);
  });

  it('is one of many that are reserved at once', async () => {
    const users = await Promise.all(
      Array.from({ length: 8 }, () => reserveUser(drawing(first + 2, first + 3, first + 4, first + 5))),
    );
    const uids = users.flatMap((user) => (user === undefined ? [] : [user.uid]));
    assert.deepEqual(uids.toSorted(), [first + 2, first + 3, first + 4, first + 5]);
    await Promise.all(users.map((user) => user?.release()));
  });

  it('is none where all are in use', async () => {
    const used = await reserveUser(drawing(first + 6));
    assert.equal(await reserveUser(drawing(first + 6)), undefined);
    await used?.release();
  });

  it('is not one of another process, until that one is killed', async () => {
    const child = fork(join(__dirname, 'user-holder.main.ts'), [String(first + 7)], { execArgv: typescript() });
    await once(child, 'message');
    const other = await reserveUser(drawing(first + 7, first + 8));
    assert.equal(other?.uid, first + 8);
    child.kill('SIGKILL');
    await exitOf(child);
    const freed = await reserveUser(drawing(first + 7));
    assert.equal(freed?.uid, first + 7);
    await Promise.all([other.release(), freed.release()]);
  });
});
