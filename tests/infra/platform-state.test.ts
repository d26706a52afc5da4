/** The state around an event, and why there is none: on twins, with streams that are too long, too large, or cut off. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { streamPagesOf } from '../../infra/adapters/eventstore/read/stream-pages';
import { maskedPages } from '../../infra/adapters/vault/event-encryption';
import { forgottenKeysView } from '../../projections/platform/forgotten-keys/view';
import { cursorsSignedWith } from '../../read-api/kernel/pagination';
import { createViewPositions } from '../../read-api/kernel/read-your-writes';
import { stateAtEvent } from '../../read-api/platform/event-log/state-at-event';
import type { AggregateStates, Explorer } from '../../read-api/platform/explorer';
import { createSettableViews } from '../kernel/read-api/view-readers';

const stream = 'files.upload-acme.u-1';

/** Counts events; the last field of each is its state. */
const counting: AggregateStates = {
  storedTypes: [],
  has: (name) => name.startsWith('files.upload-'),
  secretsOf: () => [],
  stateAt: (events) => {
    const last = events.at(-1)?.data as { readonly size: number };
    return right({ before: { count: events.length - 1 }, after: { count: events.length, last } });
  },
};

const setting = (changes: Partial<Pick<Explorer, 'states'>> = {}) => {
  const store = openMemoryEventStore();
  const views = createSettableViews();
  const reading = { views, positions: createViewPositions(views, 1), cursors: cursorsSignedWith('c'.repeat(43)) };
  const pages = maskedPages({ stream: streamPagesOf(store), readAll: store.readAll, close: store.close });
  const explorer: Explorer = { reading, pages, states: counting, operators: 'main', ...changes };
  const record = async (count: number, data: unknown, metadata: object = {}) => {
    for (let nth = 0; nth < count; nth += 1) {
      const event = { id: randomUUID(), type: 'files.Up.v1', data, metadata };
      assert.ok(isRight(await store.append(stream, 'any', [event])));
    }
  };
  const around = async (revision: number, of = stream) => {
    const found = await stateAtEvent(explorer, '*', { stream: of, revision });
    return isRight(found) ? found.right : assert.fail(found.left.detail);
  };
  return { record, around, views };
};

describe('the state around an event', () => {
  it('is made of all events up to it', async () => {
    const { record, around } = setting();
    await record(3, { size: 1 });
    const found = await around(1);
    assert.ok('changes' in found);
    assert.deepEqual(found.before, { count: 1 });
    assert.deepEqual(found.changes, [
      { op: 'replace', path: '/count', value: 2, was: 1 },
      { op: 'add', path: '/last', value: { size: 1 } },
    ]);
  });

  it('is left out, with the reason, where it would cost too much or cannot be had', async () => {
    const { record, around } = setting();
    await record(1, { size: 1 });
    const reasonOf = async (revision: number, of?: string) => {
      const found = await around(revision, of);
      return 'stateOmitted' in found ? found.stateOmitted : assert.fail('there is a state');
    };
    assert.match(await reasonOf(2_000), /first 2000 events/);
    assert.match(await reasonOf(0, 'other.thing-acme.1'), /^Streams of this kind have no state/);
    assert.match(await reasonOf(1), /too large|lost its first/);
    const large = setting();
    await large.record(20, { text: 'x'.repeat(1_000_000) });
    const found = await large.around(19);
    assert.match('stateOmitted' in found ? found.stateOmitted : '', /too large/);
  });

  it('shows what the events held sealed as sealed, and as forgotten once every key is gone', async () => {
    const { record, around, views } = setting();
    const sealed = { name: { key: 'k-1', sealed: 'cipher' }, size: 1 };
    await record(1, sealed, { sealed: ['name'] });
    const lastOf = async () => {
      const found = await around(0);
      return 'after' in found ? (found.after as { last: unknown }).last : assert.fail(found.stateOmitted);
    };
    await views.write(forgottenKeysView, 1n);
    assert.deepEqual(await lastOf(), { name: { sealed: true }, size: 1 });
    await views.write(forgottenKeysView, 2n, [{ tenantId: 'acme', keyId: 'k-1', revision: 0 }]);
    assert.deepEqual(await lastOf(), { name: { forgotten: true }, size: 1 });
  });
});
