/** Starts a scavenge on a running node and waits for its end, like any client. */
import { type EventStoreDBClient, START } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { type ScavengeResp, StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { ServiceError } from '@grpc/grpc-js';
import { connect, connectionOf, disconnect } from '../client';
import { streamOfScavenge } from './scavenge-history';

const request = (): StartScavengeReq => {
  const options = new StartScavengeReq.Options();
  options.setThreadCount(1);
  return new StartScavengeReq().setOptions(options);
};

const start = async (client: EventStoreDBClient): Promise<string> => {
  const operations = await connectionOf(client).getGRPCClient(OperationsClient, 'startScavenge');
  const [metadata, options] = connectionOf(client).callArguments({}, {});
  return new Promise((resolve, reject) => {
    operations.startScavenge(request(), metadata, options, (error: ServiceError | null, reply: ScavengeResp) =>
      error === null ? resolve(reply.getScavengeId()) : reject(error),
    );
  });
};

/** Returns the recorded completion; joins a running scavenge. Rejects if the connection is lost. */
export const requestScavenge = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
  const client = connect(url);
  try {
    const stream = streamOfScavenge(await start(client));
    for await (const { event } of client.subscribeToStream(stream, { fromRevision: START }))
      if (event?.type === '$scavengeCompleted') return event.data as Record<string, unknown>;
    throw new Error('The subscription to the scavenge ended.');
  } finally {
    await disconnect(client);
  }
};
