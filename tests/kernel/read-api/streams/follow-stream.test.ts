import assert from 'node:assert/strict';
import { createFollower, openNumberedLog } from './numbered-log';

describe('following the log', () => {
  it('begins with what is recorded from now on', async () => {
    const { append, live, close } = openNumberedLog();
    await append('acme');
    const reader = createFollower(await live(), 'acme');
    const ready = await reader.next();
    assert.deepEqual(ready, { id: '128', event: 'ready', data: '{"position":"128"}' });
    await append('acme');
    assert.deepEqual(await reader.next(), { id: '256', event: 'Thing', data: '{"number":2}' });
    close();
  });

  it('is ready without an id while the log is empty', async () => {
    const { live, close } = openNumberedLog();
    assert.deepEqual(await createFollower(await live(), 'acme').next(), { event: 'ready', data: '{"position":null}' });
    close();
  });

  it('is ready only when everything before was sent', async () => {
    const { append, live, close } = openNumberedLog();
    for (let count = 0; count < 5; count += 1) await append('acme');
    const reader = createFollower(await live({ pageSize: 2 }), 'acme', 128n);
    const names = [];
    for (let count = 0; count < 5; count += 1) names.push((await reader.next()).event);
    assert.deepEqual(names, ['Thing', 'Thing', 'Thing', 'Thing', 'ready']);
    close();
  });

  it('moves a quiet client forward while others are busy', async () => {
    const { append, live, close } = openNumberedLog();
    const reader = createFollower(await live(), 'quiet');
    assert.equal((await reader.next()).event, 'ready');
    const waiting = reader.next();
    let last = 0n;
    for (let count = 0; count < 600; count += 1) last = await append('busy');
    const { event, id } = await waiting;
    assert.equal(event, 'checkpoint');
    assert.ok(BigInt(id as string) <= last && BigInt(id as string) >= 500n * 128n);
    close();
  });

  it('ends when the client leaves, also while it waits', async () => {
    const { live, close } = openNumberedLog();
    const reader = createFollower(await live(), 'acme');
    await reader.next();
    const waiting = reader.events.next();
    reader.leave();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    close();
  });

  it('leaves out an event that cannot be shown, and says so in the log', async () => {
    const { append, live, log, close } = openNumberedLog();
    const reader = createFollower(await live(), 'acme');
    await reader.next();
    await append('acme', 'test.Broken.v1');
    await append('acme');
    assert.equal((await reader.next()).data, '{"number":2}');
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['error'],
    );
    close();
  });

  it('encodes an event once for all who follow', async () => {
    const { append, live, close } = openNumberedLog();
    const hub = await live();
    const readers = [createFollower(hub, 'acme'), createFollower(hub, 'acme')];
    for (const { next } of readers) await next();
    await append('acme');
    const [one, other] = await Promise.all(readers.map(({ next }) => next()));
    assert.equal(one, other);
    close();
  });
});
