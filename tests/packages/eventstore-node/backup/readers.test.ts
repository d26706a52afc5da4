import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startClearingStaleReaders } from '../../../../packages/eventstore-node/src/backup/stale-readers';
import { openTables } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { eventually } from '../../../support/waiting/eventually';

/** Reads, and goes on reading. */
const reader = `
  const { openReadOnlyTables } = require('./packages/eventstore-node/src/storage/lmdb-tables');
  const { root, log } = openReadOnlyTables(process.argv[1]);
  const transaction = root.useReadTransaction();
  log.get(Buffer.alloc(8), { transaction });
  console.log('reading');
  setInterval(() => transaction, 1_000);
`;

describe('a process that is killed while it reads beside the node', () => {
  const directory = useTemporaryDirectory('readers');

  it('is forgotten', async () => {
    const { root } = openTables(directory);
    const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', reader, directory]);
    await once(child.stdout, 'data');
    const isListed = (): boolean => new RegExp(`\\b${child.pid}\\b`).test(root.readerList());
    assert.ok(isListed());
    child.kill('SIGKILL');
    await once(child, 'exit');
    const stop = startClearingStaleReaders(root, 5);
    await eventually(async () => assert.ok(!isListed()));
    stop();
    await root.close();
  });
});
