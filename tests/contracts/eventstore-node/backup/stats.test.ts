/** The output of `stats` for a log. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { withSnapshot } from '../../../../packages/eventstore-node/src/backup/log-snapshot';
import { collectStatistics } from '../../../../packages/eventstore-node/src/backup/log-statistics';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { startEventStoreNode } from '../../../support/servers/event-store-node';
import { runVerb } from '../transfer/command-line';
import { fillLog, recordsIn } from '../transfer/varied-log';

describe('the statistics of a log', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('stats');
  after(() => home.remove());

  it('are read beside the node that serves it', async () => {
    await fillLog(home.path);
    const node = await startEventStoreNode(home.path);
    const { code, output, errors } = await runVerb(['stats', '--data', home.path]);
    assert.equal(code, 0, errors);
    const stats = JSON.parse(output) as Awaited<ReturnType<typeof collectStatistics>>;
    await node.stop();
    const records = await recordsIn(home.path);
    assert.deepEqual(
      [stats.events, stats.tombstonedStreams, stats.deletedStreams, stats.systemStreams],
      [records.length, 2, 1, 6],
    );
    assert.deepEqual(stats.longestStreams[0], { stream: 'long', first: 0, last: 1_199 });
    assert.equal(stats.longestStreams.length, 10);
    assert.equal(stats.firstPosition, 64);
    assert.ok(stats.logBytes + stats.indexBytes <= stats.fileBytes);
    assert.equal(await withSnapshot(join(home.path, 'none'), collectStatistics), undefined);
  });

  it('are those of a real node by URL', async () => {
    const node = await startEventStoreNode(join(home.path, 'served'));
    const { code, output } = await runVerb(['stats', '--url', node.url]);
    await node.stop();
    assert.equal(code, 0);
    assert.equal((JSON.parse(output) as { readonly proc: { readonly id: number } }).proc.id, node.pid);
  });
});
