/** A commit while another process opens the log would be overwritten by the next commit. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRight } from 'fp-ts/Either';
import { createEnvironmentLock } from '../../../../packages/data-directory/src/environment-lock';
import { isLocked, lockDirectory } from '../../../../packages/data-directory/src/index';
import { logFileOf, openTables } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { openStorage } from '../../../../packages/eventstore-node/src/storage/storage';
import { startWriter } from '../../../../packages/eventstore-node/src/storage/writer';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { eventually } from '../../../support/waiting/eventually';

const opener = `
  const { openReadOnlyTables } = require('./packages/eventstore-node/src/storage/lmdb-tables');
  console.log(openReadOnlyTables(process.argv[1]) === undefined ? 'nothing' : 'opened');
`;

const stored = async (directory: string): Promise<void> => openTables(directory).root.close();

describe('committing to and opening a log', () => {
  const home = temporaryDirectory('door');
  after(() => home.remove());

  it('commits nothing while another process opens the file', async () => {
    const directory = `${home.path}/opening`;
    const { tables, ...storage } = openStorage(directory);
    let [knocks, written] = [0, 0];
    const enter = (): boolean => {
      knocks += 1;
      return tables.environmentLock.enter();
    };
    const writer = startWriter(
      { ...storage, tables: { ...tables, environmentLock: { ...tables.environmentLock, enter } } },
      () => undefined,
    );
    const write = () => writer.write(() => ++written);
    await write();
    const opening = lockDirectory(directory, 'opening');
    assert.ok(isRight(opening));
    const second = write();
    await eventually(async () => assert.ok(knocks > 3));
    assert.equal(written, 1);
    opening.right.release();
    assert.equal(await second, 2);
    await tables.root.close();
  });

  it('is opened once the commit that is under way is over', async () => {
    const directory = `${home.path}/committing`;
    await stored(directory);
    const lock = createEnvironmentLock(logFileOf(directory));
    assert.ok(lock.enter());
    const order: string[] = [];
    const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', opener, directory]);
    const opened = once(child.stdout, 'data').then(([said]) => order.push(String(said).trim()));
    await eventually(async () => assert.ok(isLocked(directory, 'opening')));
    order.push('committed');
    lock.leave();
    await opened;
    assert.deepEqual(order, ['committed', 'opened']);
    lock.close();
  });
});
