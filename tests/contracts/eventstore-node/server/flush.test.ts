/** An append is acknowledged once it is on the disk: flushes are held back by a library that the node is started with. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { needs } from '../../../support/runner/prerequisites';
import { skip } from '../../../support/runner/skip';
import { type NodeProcess, startEventStoreNode } from '../../../support/servers/event-store-node';
import { eventually } from '../../../support/waiting/eventually';
import { connectTo } from '../protocol/harness/local-node';
import { append } from '../protocol/harness/raw-calls';
import { appended } from '../protocol/harness/replies';
import { foreignLog, givenUrl } from '../protocol/harness/server-under-test';
import { several } from '../protocol/harness/stream-requests';

describe('an append to the embedded node', () => {
  const home = temporaryDirectory('flush');
  const [library, hold] = [join(home.path, 'held-flush.so'), join(home.path, 'hold')];
  needs('compiler');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
    const source = join(__dirname, 'held-flush.c');
    const compiled = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
    if (process.platform !== 'linux') skip(this, 'held flushes: the library is made for Linux');
    assert.equal(compiled.status, 0, String(compiled.stderr));
  });
  let node: NodeProcess | undefined;
  after(async () => {
    await node?.kill();
    home.remove();
  });

  it('is acknowledged when its flush is over, and not before', async () => {
    const env = { LD_PRELOAD: library, HOLD_FLUSH: hold };
    node = await startEventStoreNode(join(home.path, 'log'), 0, undefined, env);
    const client = connectTo(node);
    appended(await append(client, { stream: 'a', events: several(1) }));
    writeFileSync(hold, '');
    let isAcknowledged = false;
    const second = append(client, { stream: 'a', events: several(1) }).finally(() => {
      isAcknowledged = true;
    });
    await eventually(async () => assert.ok(existsSync(`${hold}.waiting`), 'the flush has begun'));
    // As long as an answer takes many times over.
    await sleep(300);
    assert.equal(isAcknowledged, false);
    rmSync(hold);
    assert.equal(appended(await second).revision, 1);
    client.close();
  });
});
