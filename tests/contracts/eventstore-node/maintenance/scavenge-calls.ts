/** Scavenges requested over the wire, and the log's records of them. */
import assert from 'node:assert/strict';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { ScavengeResp, StartScavengeReq, StopScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials, type Metadata, type ServiceError } from '@grpc/grpc-js';
import type { NodeProcess } from '../../../support/servers/event-store-node';
import { withNode } from '../protocol/harness/local-node';
import { follow } from '../protocol/harness/raw-calls';
import { isFailed } from '../protocol/harness/replies';

export interface Refusal {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

const resultOf = <Reply>(call: (answer: (error: ServiceError | null, reply: Reply) => void) => void) =>
  new Promise<Reply | Refusal>((resolve) => call((error, reply) => resolve(error ?? reply)));

export const startScavenge = (operations: OperationsClient): Promise<ScavengeResp | Refusal> => {
  const request = new StartScavengeReq().setOptions(new StartScavengeReq.Options().setThreadCount(1));
  return resultOf((answer) => operations.startScavenge(request, answer));
};

export const stopScavenge = (operations: OperationsClient, id: string): Promise<ScavengeResp | Refusal> => {
  const request = new StopScavengeReq().setOptions(new StopScavengeReq.Options().setScavengeId(id));
  return resultOf((answer) => operations.stopScavenge(request, answer));
};

export const scavengeReply = (answer: ScavengeResp | Refusal): { readonly id: string; readonly result: number } => {
  assert.ok(answer instanceof ScavengeResp, `refused: ${JSON.stringify(answer)}`);
  return { id: answer.getScavengeId(), result: answer.getScavengeResult() };
};

export interface Completion {
  readonly scavengeId: string;
  readonly result: string;
  readonly error: string | null;
  readonly timeTaken: string;
  readonly spaceSaved: number;
  readonly eventsRemoved: number;
}

/** Waits for the event with its result. */
export const waitForCompletion = async (client: StreamsClient, id: string): Promise<Completion> => {
  const following = follow(client, { stream: `$scavenges-${id}` });
  for (;;) {
    const reply = await following.next();
    if (isFailed(reply)) assert.fail(JSON.stringify(reply));
    const event = reply.getEvent()?.getEvent();
    if (event?.getMetadataMap().get('type') !== '$scavengeCompleted') continue;
    following.cancel();
    return JSON.parse(Buffer.from(event.getData_asU8()).toString()) as Completion;
  }
};

export interface MaintainedNode {
  readonly client: StreamsClient;
  readonly operations: OperationsClient;
}

/** An embedded node on a directory, with clients of its maintenance calls. */
export const withMaintainedNode = <Result>(
  data: string,
  use: (maintained: MaintainedNode, node: NodeProcess) => Promise<Result>,
): Promise<Result> =>
  withNode(data, async ({ node, client }) => {
    const operations = new OperationsClient(`127.0.0.1:${node.port}`, credentials.createInsecure());
    try {
      return await use({ client, operations }, node);
    } finally {
      operations.close();
    }
  });

/** A whole scavenge. */
export const scavenge = async ({ client, operations }: MaintainedNode): Promise<Completion> =>
  waitForCompletion(client, scavengeReply(await startScavenge(operations)).id);
