/** kill -9 under load: what was acknowledged is there, once and whole; what was not may be, once and whole. */
import assert from 'node:assert/strict';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { temporaryDirectory } from '../support/event-store-node';
import { append, read } from './event-store-protocol/calls';
import { type Journal, loadUntilGone, type Sent } from './event-store-protocol/load';
import { connectTo, withNode } from './event-store-protocol/local-node';
import { appended, eventsOf } from './event-store-protocol/replies';
import { givenUrl } from './event-store-protocol/server';

const rounds = 20;

type Recorded = ReadResp.ReadEvent.RecordedEvent;
const streamOf = (event: Recorded): string =>
  Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
const idOf = (event: Recorded): string => event.getId()?.getString() ?? '';

/** Positions grow, revisions of each stream are dense from `next` on, and no id stands twice. */
const checkLog = (log: readonly Recorded[], next: Map<string, number>): void => {
  let before = 0n;
  for (const event of log) {
    const position = BigInt(event.getCommitPosition());
    assert.ok(position > before, `position ${position} after ${before}`);
    before = position;
    const stream = streamOf(event);
    assert.equal(Number(event.getStreamRevision()), next.get(stream) ?? 0, `revision in ${stream}`);
    next.set(stream, (next.get(stream) ?? 0) + 1);
  }
  assert.equal(new Set(log.map(idOf)).size, log.length, 'an event is there twice');
};

/** An append's events stand together, all or none; answers whether they are there. */
const isStored = (
  { stream, events, position }: Sent,
  places: ReadonlyMap<string, number>,
  log: readonly Recorded[],
) => {
  const found = events.map(({ id }) => places.get(id));
  const first = found[0];
  if (first === undefined) {
    assert.ok(position === undefined, `an acknowledged append to ${stream} is lost`);
    assert.ok(
      found.every((place) => place === undefined),
      'half an append is there',
    );
    return false;
  }
  assert.deepEqual(
    found,
    events.map((_, index) => first + index),
    'an append is torn apart',
  );
  const last = log[first + events.length - 1];
  if (position !== undefined) assert.equal(BigInt(last?.getCommitPosition() ?? 0), position);
  return true;
};

const checkSent = (sent: readonly Sent[], log: readonly Recorded[]): void => {
  const places = new Map(log.map((event, index) => [idOf(event), index]));
  const stored = sent.filter((one) => isStored(one, places, log));
  assert.equal(
    stored.reduce((sum, { events }) => sum + events.length, 0),
    log.length,
    'events nobody sent',
  );
};

const wholeLog = async (client: StreamsClient): Promise<readonly Recorded[]> =>
  eventsOf(await read(client, { count: 10_000_000 }));

describe('embedded node under kill -9', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('crash');
  before(function () {
    if (givenUrl !== undefined) this.skip();
  });
  after(() => home.remove());

  /** Loads the node from three connections and kills it at a random acknowledgement. */
  const loadAndKill = (sent: Sent[]): Promise<void> =>
    withNode(home.path, async ({ node }) => {
      const clients = [0, 1, 2].map(() => connectTo(node));
      const fatal = 1 + Math.floor(Math.random() * 150);
      let killed: Promise<void> | undefined;
      const acknowledged = (count: number): void => {
        if (count >= fatal) killed ??= node.kill();
      };
      const journal: Journal = { sent, count: 0, acknowledged };
      await loadUntilGone(clients, journal);
      await killed;
      for (const client of clients) client.close();
    });

  it(`keeps exactly what it acknowledged over ${rounds} kills, and recognises what is sent again`, async () => {
    const sent: Sent[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await loadAndKill(sent);
      if (round % 5 !== 4) continue;
      await withNode(home.path, async ({ client }) => {
        const before = await wholeLog(client);
        checkLog(before, new Map());
        checkSent(sent, before);
        // A client that got no answer asks again with the same ids.
        for (const lost of sent.filter(({ position }) => position === undefined))
          lost.position = appended(await append(client, { stream: lost.stream, events: lost.events })).position;
        const after = await wholeLog(client);
        checkLog(after, new Map());
        checkSent(sent, after);
      });
    }
    assert.ok(sent.length > rounds);
  });
});
