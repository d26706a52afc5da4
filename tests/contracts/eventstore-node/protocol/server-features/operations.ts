/** Operations: scavenges, and what a cluster would do; for operators only. */
import assert from 'node:assert/strict';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import {
  ScavengeResp,
  SetNodePriorityReq,
  StartScavengeReq,
  StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { basic } from '../harness/channel';
import { follow, read } from '../harness/raw-calls';
import { isFailed, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { createMember } from '../users/test-users';

const { STARTED, INPROGRESS } = ScavengeResp.ScavengeResult;

type UnaryCall<Reply> = (answer: (error: ServiceError | null, reply: Reply) => void) => unknown;
const resultOf = <Reply>(call: UnaryCall<Reply>): Promise<Reply> =>
  new Promise((resolve, reject) => {
    call((error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
const refused = (call: UnaryCall<unknown>): Promise<ServiceError> =>
  new Promise((resolve, reject) => {
    call((error) => (error === null ? reject(new Error('not refused')) : resolve(error)));
  });

const startRequest = (): StartScavengeReq =>
  new StartScavengeReq().setOptions(new StartScavengeReq.Options().setThreadCount(1));
const stopRequest = (id: string): StopScavengeReq =>
  new StopScavengeReq().setOptions(new StopScavengeReq.Options().setScavengeId(id));

interface Recorded {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of the scavenge's stream, until it is over. */
const historyOf = async (client: StreamsClient, id: string): Promise<readonly Recorded[]> => {
  const following = follow(client, { stream: `$scavenges-${id}` });
  const history: Recorded[] = [];
  while (history.at(-1)?.type !== '$scavengeCompleted') {
    const reply = await following.next();
    if (isFailed(reply)) assert.fail(JSON.stringify(reply));
    const event = reply.getEvent()?.getEvent();
    if (event === undefined) continue;
    const data = JSON.parse(Buffer.from(event.getData_asU8()).toString()) as Recorded['data'];
    history.push({ type: event.getMetadataMap().get('type') ?? '', data });
  }
  following.cancel();
  return history;
};

/** Every call that is for operators. */
const everyCall = (operations: OperationsClient): readonly UnaryCall<unknown>[] => [
  (answer) => operations.startScavenge(startRequest(), answer),
  (answer) => operations.stopScavenge(stopRequest('current'), answer),
  (answer) => operations.mergeIndexes(new Empty(), answer),
  (answer) => operations.resignNode(new Empty(), answer),
  (answer) => operations.setNodePriority(new SetNodePriorityReq().setPriority(1), answer),
  (answer) => operations.restartPersistentSubscriptions(new Empty(), answer),
  (answer) => operations.shutdown(new Empty(), answer),
];

export const operationsContract = ({ stub, raw }: Server): void => {
  it('scavenges, and records in a stream of its own that it did', async () => {
    const started = await resultOf<ScavengeResp>((answer) =>
      stub(OperationsClient).startScavenge(startRequest(), answer),
    );
    assert.ok([STARTED, INPROGRESS].includes(started.getScavengeResult()));
    const scavengeId = started.getScavengeId();
    const history = await historyOf(raw(), scavengeId);
    assert.equal(history[0]?.type, '$scavengeStarted');
    for (const { data } of history) assert.equal(data.scavengeId, scavengeId);
    const completed = history.at(-1)?.data ?? {};
    assert.equal(completed.result, 'Success');
    assert.equal(typeof completed.spaceSaved, 'number');
    assert.match(String(completed.timeTaken), /^(\d+\.)?\d\d:\d\d:\d\d(\.\d+)?$/);
    assert.equal(typeof completed.nodeEndpoint, 'string');
  });

  it('links what it recorded into $scavenges', async () => {
    const started = await resultOf<ScavengeResp>((answer) =>
      stub(OperationsClient).startScavenge(startRequest(), answer),
    );
    const history = await historyOf(raw(), started.getScavengeId());
    const links = await read(raw(), { stream: '$scavenges', from: 'end', backwards: true, count: 2 });
    assert.equal(textsOf(links).length, 3);
    const targets = links.replies.map((reply) =>
      Buffer.from(reply.getEvent()?.getEvent()?.getData_asU8() ?? []).toString(),
    );
    assert.equal(targets[0], `${history.length - 1}@$scavenges-${started.getScavengeId()}`);
  });

  it('does not know a scavenge that was not started', async () => {
    const error = await refused((answer) => stub(OperationsClient).stopScavenge(stopRequest('no-such'), answer));
    assert.deepEqual([error.code, error.details], [status.NOT_FOUND, 'Scavenge id was invalid.']);
    assert.deepEqual(error.metadata.get('exception'), ['scavenge-not-found']);
    assert.deepEqual(error.metadata.get('scavenge-id'), ['no-such']);
  });

  it('accepts what means something to a cluster only', async () => {
    const operations = stub(OperationsClient);
    await resultOf<Empty>((answer) => operations.mergeIndexes(new Empty(), answer));
    await resultOf<Empty>((answer) => operations.setNodePriority(new SetNodePriorityReq().setPriority(1), answer));
    await resultOf<Empty>((answer) => operations.restartPersistentSubscriptions(new Empty(), answer));
  });
};

/** On a secure server. */
export const operationsAccessContract = (server: Server): void => {
  const { stub } = server;

  const refusesAll = async (authorization: string): Promise<void> => {
    for (const call of everyCall(stub(OperationsClient, authorization))) {
      const error = await refused(call);
      assert.deepEqual([error.code, error.details], [status.PERMISSION_DENIED, 'Access Denied']);
      assert.deepEqual(error.metadata.get('exception'), ['access-denied']);
    }
  };

  it('refuses every operation to callers without credentials', () => refusesAll(''));

  it('refuses every operation to users who operate nothing', async () =>
    refusesAll((await createMember(server)).authorization));

  it('lets operators scavenge', async () => {
    const { authorization } = await createMember(server, ['$ops']);
    const operations = stub(OperationsClient, authorization);
    const started = await resultOf<ScavengeResp>((answer) => operations.startScavenge(startRequest(), answer));
    assert.equal((await historyOf(server.raw(), started.getScavengeId())).at(-1)?.data.result, 'Success');
  });

  it('refuses every operation to wrong credentials', async () => {
    const wrong = basic({ login: 'admin', password: 'not this one' });
    for (const call of everyCall(stub(OperationsClient, wrong)))
      assert.equal((await refused(call)).code, status.UNAUTHENTICATED);
  });
};
