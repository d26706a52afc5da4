import assert from 'node:assert/strict';
import fc from 'fast-check';
import { followStream } from '../../../../read-api/kernel/streams/follow-stream';
import type { LiveLog } from '../../../../read-api/kernel/streams/live-log';
import { openNumberedLog, waitEventLoopTurns } from './numbered-log';

const tenants = ['acme', 'acme-2', 'other'];

interface Reader {
  readonly tenantId: string;
  readonly after: bigint;
  /** Turns of the event loop between one event and the next. */
  readonly slowness: number;
}

const thingsUntilEnd = async (live: LiveLog, { tenantId, after, slowness }: Reader): Promise<readonly bigint[]> => {
  const seen: bigint[] = [];
  for await (const { event, id } of followStream(live, { tenantId, after, signal: new AbortController().signal })) {
    if (event === 'End') return seen;
    if (event === 'Thing') seen.push(BigInt(id as string));
    await waitEventLoopTurns(slowness);
  }
  throw new Error('the stream ended by itself');
};

const anyEvent = fc.record({
  owner: fc.constantFrom(...tenants),
  type: fc.constantFrom('test.Thing.v1', 'test.Thing.v1', 'test.Hidden.v1', 'test.Broken.v1'),
  pause: fc.nat(3),
});
const anyRun = fc.record({
  before: fc.array(anyEvent, { maxLength: 40 }),
  during: fc.array(anyEvent, { maxLength: 40 }),
  readers: fc.array(fc.record({ owner: fc.constantFrom(...tenants), from: fc.nat(), slowness: fc.nat(6) }), {
    minLength: 1,
    maxLength: 5,
  }),
  capacity: fc.integer({ min: 1, max: 6 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
});
type Run = typeof anyRun extends fc.Arbitrary<infer A> ? A : never;

const everyReaderSeesTheLog = async ({ before, during, readers, ...options }: Run): Promise<void> => {
  const things = openNumberedLog();
  const visible: { readonly position: bigint; readonly owner: string }[] = [];
  const put = async ({ owner, type }: { readonly owner: string; readonly type: string }): Promise<void> => {
    const position = await things.append(owner, type);
    if (type === 'test.Thing.v1') visible.push({ position, owner });
  };
  for (const event of before) await put(event);
  const live = await things.live(options);
  const begins = [-1n, ...visible.map(({ position }) => position)];
  const reading = readers.map(({ owner, from, slowness }) => {
    const after = begins[from % begins.length] as bigint;
    return { owner, after, seen: thingsUntilEnd(live, { tenantId: owner, after, slowness }) };
  });
  for (const event of during) {
    await put(event);
    await waitEventLoopTurns(event.pause);
  }
  for (const owner of tenants) await put({ owner, type: 'test.End.v1' });
  for (const { owner, after, seen } of reading) {
    const own = visible.filter((event) => event.owner === owner && event.position > after);
    assert.deepEqual(
      await seen,
      own.map(({ position }) => position),
    );
  }
  things.close();
};

describe('following the log, whatever happens', () => {
  it('gives each reader exactly the log of its tenant, from any position, however slow', () =>
    fc.assert(fc.asyncProperty(anyRun, everyReaderSeesTheLog))).timeout(60_000);
});
