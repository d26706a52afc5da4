import assert from 'node:assert/strict';
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/format/event-line';
import { importLog } from '../../../../packages/eventstore-node/src/transfer/import-log';
import { options, record, withLogs, without } from './fixture';
import { contentOf, logOf } from './log-in-process';

describe('an import', () => {
  it('counts the streams that begin later than at 0, and renumbers them', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record(), record()]);
      await source.append('b', 'any', [record()]);
      const events = without(source.events(), 'a', 2);
      assert.equal((await importLog(target.target, logOf(events), options)).shiftedStreams, 1);
      const revisions = target.events().map(({ stream, revision }) => `${revision}@${stream}`);
      assert.deepEqual(revisions.toSorted(), ['0@a', '0@b']);
    }));

  it('preserves a stream that was deleted and recreated, several times', () =>
    withLogs(async (source, target) => {
      for (let round = 0; round < 3; round += 1) {
        await source.append('a', 'any', [record()]);
        await source.softDelete('a');
      }
      await importLog(target.target, logOf(source.events()), options);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
      assert.deepEqual(target.visible('a'), []);
    }));

  it('finds its place within events that a run before put in by other appends', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record(), record(), record(), record()]);
      const events = source.events();
      for (const count of [2, 3, 5]) {
        await importLog(target.target, logOf(events.slice(0, count)), options);
        assert.deepEqual(contentOf(target.events()), contentOf(events.slice(0, count)));
      }
    }));

  it('refuses a stream that has other events at the target, by name and revision', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      await target.append('a', 'any', [record()]);
      const running = importLog(target.target, logOf(source.events()), options);
      await assert.rejects(running, /"a" cannot be continued with revision 0 \(line 2\): the target is at revision 0/);
    }));

  it('refuses a soft-deleted stream of others, and one that the target has ended', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record()]);
      await target.append('a', 'any', [record()]);
      await target.softDelete('a');
      await assert.rejects(importLog(target.target, logOf(source.events()), options), /"a" cannot be continued/);
      await target.tombstone('a');
      await assert.rejects(
        importLog(target.target, logOf(source.events()), options),
        /^Error: 1 of the streams have ended/,
      );
    }));

  it('goes on from an earlier import with what was written since', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      await importLog(target.target, logOf(source.events()), options);
      const before = source.events().length;
      await source.append('a', 'any', [record(), record()]);
      await source.append('b', 'any', [record()]);
      const later = source.events().slice(before);
      for (let run = 0; run < 2; run += 1)
        assert.equal((await importLog(target.target, logOf(later, 1), options)).shiftedStreams, 0);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
    }));

  it('continues a stream that was deleted and recreated, however often it is repeated', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record()]);
      await source.softDelete('a');
      await importLog(target.target, logOf(source.events()), options);
      const before = source.events().length;
      await source.append('a', 'any', [record()]);
      await source.append('$$a', 'any', [record('{"$maxCount":5}', '$metadata')]);
      const later = source.events().slice(before);
      for (let run = 0; run < 2; run += 1) await importLog(target.target, logOf(later, 1), options);
      assert.deepEqual(target.visible('a'), source.visible('a'));
      assert.equal(target.events().length, source.events().length);
    }));

  it('refuses metadata other than the log has', () =>
    withLogs(async (source, target) => {
      await source.append('$$a', 'any', [record('{"$maxCount":1}')]);
      for (let round = 0; round < 2; round += 1) {
        await target.append('$$a', 'any', [record('{"$maxCount":2}')]);
        await assert.rejects(
          importLog(target.target, logOf(source.events()), options),
          /cannot be continued|other metadata/,
        );
      }
    }));

  it('leaves streams of the system out unless it is asked for them', () =>
    withLogs(async (source, target) => {
      await source.append('$settings', 'any', [record()]);
      await source.append('$$$settings', 'any', [record()]);
      await source.append('$$a', 'any', [record()]);
      const imported = await importLog(target.target, logOf(source.events()), options);
      assert.deepEqual([imported.events, imported.skippedSystemEvents], [1, 2]);
      const all = await importLog(target.target, logOf(source.events()), { ...options, system: true });
      assert.equal(all.events, 3);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
    }));

  it('refuses revisions that go back', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      const [first, second] = source.events() as [LoggedEvent, LoggedEvent];
      const running = importLog(target.target, logOf([second, first]), options);
      await assert.rejects(running, /Line 3: revision 0 of "a" comes after 1/);
    }));
});
