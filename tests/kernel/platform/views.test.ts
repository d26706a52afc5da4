/** The rows that each event makes in the platform's views, whichever actor recorded it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { platformEventsProjection } from '../../../projections/platform/events/project';
import { platformStreamsProjection } from '../../../projections/platform/streams/project';
import { noon } from '../../identity/examples';
import { rowsAfter } from '../../identity/projections/rows';

const event = (index: number, changes: Partial<StoredEvent> = {}): StoredEvent => ({
  id: `e-${index}`,
  stream: 'files.upload-acme.u-1',
  type: 'files.UploadStarted.v1',
  revision: index,
  position: BigInt(index + 1) * 100n,
  data: {},
  metadata: { $correlationId: 'r-1', $causationId: 'k-1', commandId: 'k-1', at: noon },
  ...changes,
});

type Row = { readonly [field: string]: unknown };
const streamsAfter = async (cuts: readonly (readonly StoredEvent[])[], tenant?: string) =>
  (await rowsAfter(platformStreamsProjection, cuts, tenant)) as readonly Row[];

describe('the platform’s views', () => {
  it('count from the first event that is there, however they are cut', async () => {
    const events = [5, 6, 7, 8].map((index) => event(index));
    const expected = { firstRevision: 5, revision: 8, firstAt: noon, lastType: 'files.UploadStarted.v1', id: 'u-1' };
    for (const cuts of [[events], events.map((one) => [one]), [events.slice(0, 2), events.slice(2)]]) {
      const [row] = await streamsAfter(cuts);
      assert.deepEqual({ ...row, ...expected }, row);
    }
  });

  it('keep whom and which client the first event of a stream names', async () => {
    const events = [
      event(0, { data: { principalId: 'p-1', clientId: 'acme~cli' } }),
      event(1, { data: { principalId: 'p-2', clientId: 'acme~console' } }),
    ];
    for (const cuts of [[events], events.map((one) => [one])]) {
      const [row] = await streamsAfter(cuts);
      assert.deepEqual([row?.principalId, row?.clientId], ['p-1', 'acme~cli']);
    }
    for (const data of [
      {},
      null,
      'p-1',
      { principalId: 7 },
      { principalId: 'x'.repeat(200) },
      { principalId: 'a\nb' },
    ]) {
      const [row] = await streamsAfter([[event(0, { data })]]);
      assert.deepEqual([row?.principalId, row?.clientId], [null, null]);
    }
  });

  it('take events without metadata, of no tenant, and of any name', async () => {
    const odd = { metadata: null, stream: 'Imported \u0000 stream', type: '' };
    const [row] = await streamsAfter([[event(0, odd)]], '');
    assert.deepEqual([row?.tenantId, row?.context, row?.firstAt], ['', '', null]);
    const long = [event(0, { stream: `a.b-acme.${'x'.repeat(2_000)}` }), event(1)];
    assert.equal((await streamsAfter([long])).length, 1, 'what fits no index is left out');
    const metadata = { $correlationId: 'x'.repeat(300), $causationId: 7, at: noon };
    const [place] = (await rowsAfter(platformEventsProjection, [[event(0, { metadata })]])) as readonly Row[];
    assert.deepEqual([place?.correlationId, place?.causationId, place?.eventId], [null, null, 'e-0']);
  });

  it('accept whatever stands in metadata', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string({ maxLength: 40 }), async (metadata, name) => {
        const stored = event(0, { metadata, stream: `files.upload-acme.${name || 'u'}` });
        assert.ok((await rowsAfter(platformEventsProjection, [[stored]])).length <= 1);
        assert.ok((await streamsAfter([[stored]])).length <= 1);
      }),
      { numRuns: 200 },
    );
  });
});
