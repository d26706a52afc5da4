/** A log from one server to another, through lines of JSON. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { certificatesIn } from '../../../support/servers/certificates';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { eventually } from '../../../support/waiting/eventually';
import { givenUrl } from '../protocol/harness/server-under-test';
import { exportByCommand, importByCommand, runVerb, startVerb, waitForExit } from './command-line';
import { exportFrom, importInto } from './in-process-transfers';
import { fillLog, recordsIn, streamsIn } from './varied-log';

describe('the log of a node, exported and imported', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('transfer');
  const nodes: EventStoreNode[] = [];
  // A server that is given keeps what other runs put there.
  const prefix = `transfer-${randomUUID()}.`;
  let source: EventStoreNode;
  let log = '';

  const start = async (name: string): Promise<EventStoreNode> => {
    const node = await startNodeHere(join(home.path, name));
    nodes.push(node);
    return node;
  };
  before(async () => {
    await fillLog(join(home.path, 'source'), prefix);
    source = await start('source');
    log = await exportFrom(source.url);
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    home.remove();
  });

  it('brings every stream to another server, byte for byte', async () => {
    const url = givenUrl ?? (await start('target')).url;
    const wanted = streamsIn(log);
    const imported = await importByCommand(['--url', url], log);
    assert.equal(imported.events, log.trimEnd().split('\n').length - 2);
    const there = streamsIn(await exportByCommand(url));
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, there[name]])), wanted);
    if (givenUrl === undefined) assert.equal(Object.keys(there).length, Object.keys(wanted).length);
  });

  it('leaves streams of the system out unless asked for them, not the metadata of others', async () => {
    const names = Object.keys(streamsIn(log));
    assert.ok(names.includes(`$$${prefix}kept/`));
    assert.ok(!names.some((name) => name.endsWith('system/')));
    const all = Object.keys(streamsIn(await exportFrom(source.url, { system: true })));
    assert.ok(all.includes(`$${prefix}system/`) && all.includes(`$$$${prefix}system/`));
  });

  it('makes the same directory without a server: records, positions, times and all', async () => {
    const file = join(home.path, 'log.ndjson');
    const data = join(home.path, 'copy');
    await exportByCommand(source.url, '--system', '--out', file);
    await importByCommand(['--data', data, '--in', file]);
    assert.deepEqual(await recordsIn(data), await recordsIn(source.data));
    assert.ok(await checkAll(data, () => undefined));
    const again = await runVerb(['import', '--data', data, '--in', file]);
    assert.deepEqual([again.code, again.errors], [1, `${data} already has an event log: nothing is added to it.\n`]);
  });

  it('goes on from a position, and once more', async () => {
    const target = await start('parts');
    const lines = log.trimEnd().split('\n');
    const position = (line: number): number =>
      (JSON.parse(lines[line] ?? '') as { readonly position: number }).position;
    const first = [...lines.slice(0, 1_300), JSON.stringify({ format: 'eventstore-log', end: true, events: 1_299 })];
    await importInto(target.url, first.join('\n'));
    // The last event comes again.
    const rest = await exportByCommand(source.url, '--from', String(position(1_299)));
    assert.deepEqual(rest.trimEnd().split('\n').slice(1, -1), lines.slice(1_299, -1));
    for (let run = 0; run < 2; run += 1) await importInto(target.url, rest);
    assert.deepEqual(streamsIn(await exportFrom(target.url)), streamsIn(log));
  });

  it('has the same result when it is killed on the way, however often', async () => {
    const target = await start('killed');
    const lines = log.split('\n');
    const client = EventStoreDBClient.connectionString(target.url);
    const events = async (): Promise<number> => {
      let count = 0;
      for await (const _ of client.readAll()) count += 1;
      return count;
    };
    for (const share of [0.1, 0.5, 0.9]) {
      const child = startVerb(['import', '--url', target.url]);
      const before = await events();
      // Its input does not end: it cannot have done everything.
      child.stdin.write(`${lines.slice(0, Math.floor(lines.length * share)).join('\n')}\n`);
      await eventually(async () => assert.ok((await events()) > before));
      child.kill('SIGKILL');
      await waitForExit(child);
    }
    await client.dispose();
    await importInto(target.url, log);
    assert.deepEqual(streamsIn(await exportFrom(target.url)), streamsIn(log));
  });

  it('takes credentials and certificates from the URL', async () => {
    const certs = await certificatesIn(join(home.path, 'certs'));
    const secure = await startNodeHere(join(home.path, 'secure'), certs);
    nodes.push(secure);
    await importByCommand(['--url', secure.url], log);
    assert.deepEqual(streamsIn(await exportFrom(secure.url)), streamsIn(log));
    const stranger = secure.url.replace(/\/\/.*@/, '//admin:wrong@');
    assert.notEqual(stranger, secure.url);
    const { code, errors } = await runVerb(['export', '--url', stranger]);
    assert.deepEqual([code, /do(?:es)? not know these credentials/.test(errors)], [1, true]);
    assert.ok(!existsSync(join(home.path, 'secure', 'importing')));
  });
});
