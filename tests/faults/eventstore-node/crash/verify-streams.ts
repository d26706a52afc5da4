/** Compares the index of streams with the log. */
import assert from 'node:assert/strict';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { status } from '@grpc/grpc-js';
import { read } from '../../../contracts/eventstore-node/protocol/harness/raw-calls';
import { eventsOf } from '../../../contracts/eventstore-node/protocol/harness/replies';
import { sharedStreams } from './load-client';
import type { Log } from './log-invariants';

/** How many of the streams that changed last; the streams with several writers are checked besides. */
const lookedAt = 10;

export const verifyStreams = async (client: StreamsClient, { streams }: Log): Promise<void> => {
  const names = [...sharedStreams, ...[...streams.keys()].filter((name) => !name.startsWith('$')).slice(-lookedAt)];
  for (const stream of new Set(names)) {
    const { next = 0, hidden = false, ended = false } = streams.get(stream) ?? {};
    const answer = await read(client, { stream, from: 'end', backwards: true, count: 1 });
    assert.equal(answer.failed?.code, ended ? status.FAILED_PRECONDITION : undefined, `${stream}`);
    const revisions = eventsOf(answer).map((event) => Number(event.getStreamRevision()));
    assert.deepEqual(revisions, next === 0 || hidden || ended ? [] : [next - 1], `the end of ${stream}`);
  }
};
