import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { integer, record, text } from '../../../domain/kernel/codec';
import { fault } from '../../../domain/kernel/rejection';
import type { TableView } from '../../../infra/ports/views/view-store';
import { createViewPositions, parseMinimumVersion, waitUntilVisible } from '../../../read-api/kernel/read-your-writes';
import { createSettableViews } from './view-readers';

const view: TableView = {
  store: 'postgres',
  name: 'test_things',
  version: 1,
  row: record('Row', { tenantId: text('Tenant', { maxLength: 9 }), revision: integer(0) }),
  key: ['tenantId'],
  columns: { tenantId: 'text', revision: 'integer' },
};
const forEver = new AbortController().signal;
const problemIn = (value: unknown) =>
  (value as { left: { problem: { code: string; status: number; errors?: unknown }; headers?: unknown } }).left;

describe('waiting for a position', () => {
  it('answers at once when the view is there', async () => {
    const views = createSettableViews();
    await views.write(view, 9n);
    const positions = createViewPositions(views);
    assert.deepEqual(await waitUntilVisible(positions, { view, position: 9n, signal: forEver }), right(9n));
    assert.equal(views.checkpointReads(), 1);
  });

  it('answers once the view gets there', async () => {
    const views = createSettableViews();
    await views.write(view, 1n);
    const waiting = waitUntilVisible(createViewPositions(views, 1), { view, position: 2n, signal: forEver });
    await views.write(view, 3n);
    assert.deepEqual(await waiting, right(3n));
  });

  it('says that it is not visible yet when patience ends, and when to come back', async () => {
    const views = createSettableViews();
    await views.create(view);
    const deadline = new AbortController();
    const waiting = waitUntilVisible(createViewPositions(views, 1), { view, position: 0n, signal: deadline.signal });
    deadline.abort();
    const { problem, headers } = problemIn(await waiting);
    assert.deepEqual([problem.code, problem.status, headers], ['not-yet-visible', 503, { 'Retry-After': '1' }]);
  });

  it('does not take an unbuilt view for an empty one', async () => {
    const { problem } = problemIn(
      await waitUntilVisible(createViewPositions(createSettableViews()), {
        view,
        position: undefined,
        signal: forEver,
      }),
    );
    assert.equal(problem.code, 'not-yet-visible');
  });

  it('answers null where no event was applied yet', async () => {
    const views = createSettableViews();
    await views.create(view);
    assert.deepEqual(
      await waitUntilVisible(createViewPositions(views), { view, position: undefined, signal: forEver }),
      right(null),
    );
  });

  it('polls once for all waiting requests, and not without any', async () => {
    let polls = 0;
    let position = 0n;
    const positions = createViewPositions(
      {
        checkpoint: async () => {
          polls += 1;
          if (polls === 10) position = 5n;
          return right(position);
        },
      },
      1,
    );
    const waits = Array.from({ length: 50 }, () =>
      positions.reached(view, { position: 5n, signal: new AbortController().signal }),
    );
    for (const found of await Promise.all(waits)) assert.deepEqual(found, right(5n));
    assert.equal(polls, 10);
    // The poll's last pause, if there were one, would be over before these turns are.
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(polls, 10);
    assert.deepEqual(await positions.reached(view, { position: 5n, signal: forEver }), right(5n));
    assert.equal(polls, 11);
  });

  it('shares a look among those who ask at once', async () => {
    const views = createSettableViews();
    const positions = createViewPositions(views);
    await Promise.all([positions.current(view), positions.current(view), positions.current(view)]);
    assert.equal(views.checkpointReads(), 1);
  });

  it('hands the store’s fault and its defect to all who wait', async () => {
    const away = left(fault('view-store-unavailable', 'It is away.'));
    const faulty = createViewPositions({ checkpoint: async () => away }, 1);
    assert.deepEqual(await faulty.reached(view, { position: 1n, signal: forEver }), away);
    const defective = createViewPositions({ checkpoint: () => Promise.reject(new Error('defect')) }, 1);
    const waits = [1n, 2n].map((position) => defective.reached(view, { position, signal: forEver }));
    for (const { status } of await Promise.allSettled(waits)) assert.equal(status, 'rejected');
  });
});

describe('headers that set a floor', () => {
  const read = (headers: Record<string, string>) => parseMinimumVersion(headers, { revisions: true });

  it('are read as numbers, a revision also as an ETag', () => {
    assert.deepEqual(read({}), right({ position: undefined, revision: undefined }));
    assert.deepEqual(
      read({ 'min-position': '18446744073709551615', 'if-min-revision': 'W/"7"' }),
      right({ position: 2n ** 64n - 1n, revision: 7 }),
    );
    assert.deepEqual(read({ 'if-min-revision': '7' }), right({ position: undefined, revision: 7 }));
    assert.deepEqual(read({ 'if-min-revision': '"7"' }), right({ position: undefined, revision: 7 }));
  });
  for (const value of ['', '-1', '1.0', '0x1', '18446744073709551616', '99999999999999999999999', 'abc', '1 2'])
    it(`are named when malformed: ${JSON.stringify(value)}`, () => {
      const { problem } = problemIn(read({ 'min-position': value, 'if-min-revision': `"${value}"` }));
      const errors = problem.errors as { pointer: string }[];
      assert.equal(problem.status, 400);
      assert.ok(errors.some(({ pointer }) => pointer === '/headers/min-position'));
    });
  it('are refused where they mean nothing', () => {
    const { problem } = problemIn(parseMinimumVersion({ 'if-min-revision': '1' }, { revisions: false }));
    assert.equal(problem.code, 'invalid-input');
  });
});
