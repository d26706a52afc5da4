/** Directories for nodes that are maintained, and the metadata that gives maintenance something to do. */

import { join } from 'node:path';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { temporaryDirectory } from '../../support/event-store-node';
import { skip } from '../../support/skip';
import { append } from '../event-store-protocol/calls';
import { type Proposed, proposed } from '../event-store-protocol/messages';
import { foreignLog, givenUrl } from '../event-store-protocol/server';

const metadata = (data: string): readonly Proposed[] => [proposed({ type: '$metadata', data: Buffer.from(data) })];
export const setMetadata = (client: StreamsClient, stream: string, data: string) =>
  append(client, { stream: `$$${stream}`, events: metadata(data) });

/** Called inside a `describe`: another directory at every call, all gone after its last test. */
export const directoriesForTests = (name: string): (() => string) => {
  const home = temporaryDirectory(name);
  let made = 0;
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());
  return () => {
    made += 1;
    return join(home.path, String(made));
  };
};
