/** Directories for nodes that are maintained, and the metadata that gives maintenance something to do. */

import { join } from 'node:path';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { skip } from '../../../support/runner/skip';
import { append } from '../protocol/harness/raw-calls';
import { foreignLog, givenUrl } from '../protocol/harness/server-under-test';
import { type Proposed, proposed } from '../protocol/harness/stream-requests';

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
