/** The verbs `scavenge` and `verify`, as an operator runs them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { logFileOf } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { append } from '../protocol/harness/raw-calls';
import { proposed } from '../protocol/harness/stream-requests';
import { directoriesForTests } from './fixture';
import { type Completion, withMaintainedNode } from './scavenge-calls';
import { fillStreams, withStoredLog } from './stored-log';
import { runVerb, verifyByCommand } from './verify-log';

describe('maintenance verbs', () => {
  const directory = directoriesForTests('maintenance-verbs');

  it('scavenges a running node by its address, and a directory that none serves', async () => {
    const data = directory();
    await withStoredLog(data, (stored) => fillStreams(stored));
    const first = await withMaintainedNode(data, async (_, node) => {
      const refused = await runVerb('scavenge', '--data', data);
      assert.equal(refused.code, 1);
      assert.equal(refused.errors.trim().split('\n').length, 1);
      assert.ok(refused.errors.includes(String(node.pid)));
      return runVerb('scavenge', '--url', node.url);
    });
    assert.equal(first.code, 0, first.errors);
    assert.ok((JSON.parse(first.output) as Completion).eventsRemoved > 20);
    const second = await runVerb('scavenge', '--data', data);
    assert.equal(second.code, 0, second.errors);
    assert.equal((JSON.parse(second.output) as Completion).eventsRemoved, 0);
    await verifyByCommand(data);
  });

  it('answers wrong flags with 2, and what is not there with 1 and one line', async () => {
    const nowhere = directory();
    for (const flags of [
      ['scavenge'],
      ['scavenge', '--data', nowhere, '--url', 'esdb://x'],
      ['verify'],
      ['verify', 'x'],
    ])
      assert.equal((await runVerb(...flags)).code, 2, flags.join(' '));
    for (const verb of ['scavenge', 'verify']) {
      const { code, errors } = await runVerb(verb, '--data', nowhere);
      assert.equal(code, 1);
      assert.equal(errors.trim(), `There is no log in ${nowhere}.`);
    }
  });

  it('verifies a log while it is served, and prints what it read', async () => {
    const data = directory();
    await withMaintainedNode(data, async ({ client }) => {
      for (let index = 0; index < 30; index += 1)
        await append(client, { stream: `s-${index % 7}`, events: [proposed(), proposed()] });
      const { events, streams, scavenged } = await verifyByCommand(data);
      // Besides them the log's own first event: its stream, and the one that it is about.
      assert.deepEqual({ events, streams, scavenged }, { events: 61, streams: 9, scavenged: { events: 0, bytes: 0 } });
    });
  });

  it('names the damage in one line and ends with 1', async () => {
    const data = directory();
    const mark = Buffer.from('this text will be damaged on disk');
    await withMaintainedNode(data, async ({ client }) => {
      await append(client, { stream: 'a', events: [proposed(), proposed({ data: mark })] });
    });
    const bytes = readFileSync(logFileOf(data));
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes[at] = 'T'.charCodeAt(0);
    writeFileSync(logFileOf(data), bytes);
    const { code, output, errors } = await runVerb('verify', '--data', data);
    assert.equal(code, 1);
    assert.match(errors, /^Damage in table log, position \d+: the record's checksum does not hold\.\n$/);
    assert.equal((JSON.parse(output) as { damage: string }).damage, errors.trim());
  });

  it('names a file that is none in one line as well', async () => {
    const data = directory();
    await withStoredLog(data, (stored) => fillStreams(stored));
    const bytes = readFileSync(logFileOf(data));
    writeFileSync(logFileOf(data), bytes.fill(0xff, 0, 8192));
    const { code, errors } = await runVerb('verify', '--data', data);
    assert.equal(code, 1);
    assert.match(errors, /^Damage in the database itself: .+\n$/);
  });
});
