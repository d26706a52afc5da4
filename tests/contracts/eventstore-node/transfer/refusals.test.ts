/** What is not exported, and what is not imported. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { runVerb } from './command-line';
import { exportFrom } from './in-process-transfers';
import { fillLog, streamsIn } from './varied-log';

describe('a log that cannot be exported or imported', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('transfer-refusals');
  const nodes: EventStoreNode[] = [];
  let source: EventStoreNode;
  let log = '';

  const start = async (name: string): Promise<EventStoreNode> => {
    const node = await startNodeHere(join(home.path, name));
    nodes.push(node);
    return node;
  };
  before(async () => {
    await fillLog(join(home.path, 'source'));
    source = await start('source');
    log = await exportFrom(source.url);
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    home.remove();
  });

  it('refuses a file that is cut off before anything of it is put in', async () => {
    const target = await start('empty');
    const file = join(home.path, 'cut.ndjson');
    writeFileSync(file, log.slice(0, -100));
    for (const where of [
      ['--url', target.url],
      ['--data', join(home.path, 'none')],
    ]) {
      const { code, errors } = await runVerb(['import', ...where, '--in', file]);
      assert.equal(code, 1);
      assert.match(errors, /is cut off/);
    }
    assert.deepEqual(Object.keys(streamsIn(await exportFrom(target.url))), []);
  });

  it('names the line that is wrong, and leaves no directory half filled', async () => {
    const data = join(home.path, 'hostile');
    const lines = log.split('\n');
    const { code, errors } = await runVerb(['import', '--data', data], lines.with(700, '{"stream":1}').join('\n'));
    assert.deepEqual([code, errors], [1, 'Line 701: the field stream is missing or not as it should be.\n']);
    assert.deepEqual(readdirSync(data), []);
  });

  it('refuses to mix a stream with another of the same name', async () => {
    const target = await start('taken');
    const client = EventStoreDBClient.connectionString(target.url);
    await client.appendToStream('binary', [
      { id: crypto.randomUUID(), contentType: 'application/json', type: 'Other', data: {}, metadata: {} },
    ]);
    await client.dispose();
    const { code, errors } = await runVerb(['import', '--url', target.url], log);
    assert.equal(code, 1);
    assert.match(errors, /The stream "binary" cannot be continued with revision 0 \(line 2\)/);
  });

  it('writes no file when it fails, and overwrites none', async () => {
    const file = join(home.path, 'not.ndjson');
    const unreachable = await runVerb(['export', '--url', 'esdb://127.0.0.1:1?tls=false', '--out', file]);
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.errors, /^The event store cannot be reached/);
    assert.deepEqual(
      readdirSync(home.path).filter((name) => name.startsWith('not.ndjson')),
      [],
    );
    writeFileSync(file, 'mine');
    assert.equal((await runVerb(['export', '--url', source.url, '--out', file])).code, 1);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });
});
