/** Asks a running node for a scavenge and waits for its end, as any client could. */
import { START } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { type ScavengeResp, StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { ServiceError } from '@grpc/grpc-js';
import { connect, connectionOf, disconnect } from '../../connection';
import { streamOfScavenge } from './scavenge-events';

const request = (): StartScavengeReq => {
  const options = new StartScavengeReq.Options();
  options.setThreadCount(1);
  return new StartScavengeReq().setOptions(options);
};

const start = async (client: ReturnType<typeof connect>): Promise<string> => {
  const operations = await connectionOf(client).getGRPCClient(OperationsClient, 'startScavenge');
  const [metadata, options] = connectionOf(client).callArguments({}, {});
  return new Promise((resolve, reject) => {
    operations.startScavenge(request(), metadata, options, (error: ServiceError | null, reply: ScavengeResp) =>
      error === null ? resolve(reply.getScavengeId()) : reject(error),
    );
  });
};

/** What the node recorded of it; rejects when the connection is lost. One that runs already is waited for. */
export const askForScavenge = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
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
