/** The Operations service: scavenges, shutdown, and calls that only matter in a cluster. */
import {
  ScavengeResp,
  type SetNodePriorityReq,
  type StartScavengeReq,
  type StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { status } from '@grpc/grpc-js';
import { administrators, operators } from '../access/acl';
import type { Caller } from '../access/caller';
import { createScavenger, type Scavenger } from '../scavenge/scavenger';
import { type Node, unary } from './call-context';
import { CallError, writeRefused } from './errors';
import { groupsOf } from './persistent-subscriptions/groups';

const { STARTED, INPROGRESS, STOPPED } = ScavengeResp.ScavengeResult;

const replyOf = (scavengeId: string, result: ScavengeResp.ScavengeResult): ScavengeResp => {
  const reply = new ScavengeResp();
  reply.setScavengeId(scavengeId);
  reply.setScavengeResult(result);
  return reply;
};

const scavengeNotFound = (scavengeId: string): CallError =>
  new CallError(status.NOT_FOUND, 'Scavenge id was invalid.', {
    exception: 'scavenge-not-found',
    'scavenge-id': scavengeId,
  });

/** EventStoreDB scavenges with several threads over chunks; this node has one of each. */
const start = async ({ start: begin }: Scavenger): Promise<ScavengeResp> => {
  const started = await begin().catch((error: Error) => {
    throw writeRefused(error.message);
  });
  return replyOf(started.scavengeId, started.isNew ? STARTED : INPROGRESS);
};

const stop = async ({ stop: end }: Scavenger, request: StopScavengeReq): Promise<ScavengeResp> => {
  const scavengeId = request.getOptions()?.getScavengeId() ?? '';
  const stopped = await end(scavengeId);
  if (stopped === undefined) throw scavengeNotFound(scavengeId);
  return replyOf(stopped, STOPPED);
};

/** Sends itself SIGTERM after the call is answered; the handler of that signal shuts the node down. */
const shutDown = (): Empty => {
  setImmediate(() => process.kill(process.pid, 'SIGTERM'));
  return new Empty();
};

const scavengerOf = (node: Node): Scavenger => {
  const { storage, writer, report } = node;
  const nodeEndpoint = (): string => `${node.member().host}:${node.member().port}`;
  const scavenger = createScavenger({ storage, writer, nodeEndpoint, report });
  node.openCalls.add(() => scavenger.abandon());
  return scavenger;
};

export const operationsMethods = (node: Node) => {
  const scavenger = scavengerOf(node);
  const method = <Request, Reply>(handle: (request: Request) => Reply | Promise<Reply>) =>
    unary<Request, Reply>(node, async (request, caller: Caller) => {
      node.access.allowOperator(caller, administrators, operators);
      return handle(request);
    });
  return {
    startScavenge: method<StartScavengeReq, ScavengeResp>(() => start(scavenger)),
    stopScavenge: method<StopScavengeReq, ScavengeResp>((request) => stop(scavenger, request)),
    shutdown: method<Empty, Empty>(shutDown),
    // One node with one index has nothing to merge, and no cluster in which to resign or be preferred.
    mergeIndexes: method<Empty, Empty>(() => new Empty()),
    resignNode: method<Empty, Empty>(() => new Empty()),
    setNodePriority: method<SetNodePriorityReq, Empty>(() => new Empty()),
    restartPersistentSubscriptions: method<Empty, Empty>(async () => {
      await groupsOf(node).restart();
      return new Empty();
    }),
  };
};
