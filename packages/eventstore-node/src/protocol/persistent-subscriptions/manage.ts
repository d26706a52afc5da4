/** Create, Update, Delete, GetInfo, List and ReplayParked: for administrators and operators. */
import {
  type CreateReq,
  CreateResp,
  type DeleteReq,
  DeleteResp,
  type GetInfoReq,
  GetInfoResp,
  type ListReq,
  ListResp,
  type ReplayParkedReq,
  ReplayParkedResp,
  type UpdateReq,
  UpdateResp,
} from '@eventstore/db-client/generated/persistent_pb';
import { Empty, type StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { administrators, operators } from '../../access/acl';
import type { Caller } from '../../access/caller';
import { allStreamName, type GroupDefinition, groupKeyOf } from '../../persistent-subscriptions/group-configuration';
import type { GroupTarget, RegistryOutcome } from '../../persistent-subscriptions/group-registry';
import { parkedRange } from '../../persistent-subscriptions/system-streams';
import { lastPositionOf } from '../../storage/read-pages';
import { type Node, unary } from '../call-context';
import { invalidArgument, writeRefused } from '../errors';
import { groupExists, groupFailed, groupMissing } from './errors';
import { createFilterMatcher, type GroupService, groupsOf } from './groups';
import { subscriptionInfo } from './info';
import { decodeDefinition } from './settings';

export const callerNameOf = (caller: Caller): string => (caller.kind === 'user' ? caller.login : caller.kind);

interface WithGroup {
  hasAll(): boolean;
  getStreamIdentifier(): StreamIdentifier | undefined;
  getGroupName(): string;
}

export const decodeTarget = (options: WithGroup | undefined): GroupTarget => {
  const stream = options?.getStreamIdentifier();
  if (options === undefined || (!options.hasAll() && stream === undefined))
    throw invalidArgument("'None' is not a valid StreamOptionOneofCase");
  const name = stream === undefined ? allStreamName : Buffer.from(stream.getStreamName_asU8()).toString('utf8');
  return { stream: name, group: options.getGroupName() };
};

const throwUnlessDone = (target: GroupTarget, outcome: RegistryOutcome): void => {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'exists':
      throw groupExists(target);
    case 'missing':
      throw groupMissing(target);
    case 'refused':
      throw writeRefused(outcome.reason);
  }
};

/** A position beyond the end means that the client has another log in mind. */
const checkStart = ({ storage }: Node, definition: GroupDefinition): void => {
  const { stream, settings, filter } = definition;
  createFilterMatcher(filter);
  const beyond = stream === allStreamName && typeof settings.startFrom === 'number';
  if (!beyond || Number(settings.startFrom) <= (lastPositionOf(storage.tables) ?? 0)) return;
  const where = 'commit position must be less than or equal to the last commit position in the transaction file';
  throw groupFailed(definition, `Invalid Start From position: ${where}.`);
};

const create = async (node: Node, request: CreateReq, caller: Caller): Promise<CreateResp> => {
  const definition = decodeDefinition(request.getOptions());
  checkStart(node, definition);
  throwUnlessDone(definition, await groupsOf(node).create(definition, callerNameOf(caller)));
  return new CreateResp();
};

const update = async (node: Node, request: UpdateReq, caller: Caller): Promise<UpdateResp> => {
  const definition = decodeDefinition(request.getOptions());
  checkStart(node, definition);
  throwUnlessDone(definition, await groupsOf(node).update(definition, callerNameOf(caller)));
  return new UpdateResp();
};

const remove = async (node: Node, request: DeleteReq, caller: Caller): Promise<DeleteResp> => {
  const target = decodeTarget(request.getOptions());
  throwUnlessDone(target, await groupsOf(node).remove(target, callerNameOf(caller)));
  return new DeleteResp();
};

const getInfo = async (groups: GroupService, request: GetInfoReq): Promise<GetInfoResp> => {
  const target = decodeTarget(request.getOptions());
  const running = await groups.find(target);
  if (running === undefined) throw groupMissing(target);
  return new GetInfoResp().setSubscriptionInfo(subscriptionInfo(groups.infoOf(running)));
};

const listedStream = (options: ListReq.Options | undefined): string | undefined => {
  if (options?.hasListAllSubscriptions()) return undefined;
  const wanted = options?.getListForStream();
  const stream = wanted?.getStream();
  if (wanted === undefined || (!wanted.hasAll() && stream === undefined))
    throw invalidArgument("'None' is not a valid ListOptionOneofCase");
  return stream === undefined ? allStreamName : Buffer.from(stream.getStreamName_asU8()).toString('utf8');
};

const list = async (groups: GroupService, request: ListReq): Promise<ListResp> => {
  const stream = listedStream(request.getOptions());
  const all = await groups.list();
  const wanted = all.filter(({ definition }) => stream === undefined || definition.stream === stream);
  if (stream !== undefined && wanted.length === 0) throw groupMissing({ stream, group: '' });
  return new ListResp().setSubscriptionsList(wanted.map((running) => subscriptionInfo(groups.infoOf(running))));
};

const replayParked = async (node: Node, request: ReplayParkedReq): Promise<ReplayParkedResp> => {
  const options = request.getOptions();
  const target = decodeTarget(options);
  if (!options?.hasStopAt() && !options?.hasNoLimit())
    throw invalidArgument("'None' is not a valid StopAtOptionOneofCase");
  const stopAt = options.hasStopAt() ? Number(options.getStopAt()) : undefined;
  if (stopAt !== undefined && stopAt < 0)
    throw groupFailed(target, 'Cannot stop replaying parked message at a negative version.');
  const running = await groupsOf(node).find(target);
  if (running === undefined) throw groupMissing(target);
  const range = parkedRange(node.storage, groupKeyOf(target));
  if (range !== undefined) running.replay(range, stopAt);
  return new ReplayParkedResp();
};

export const manageMethods = (node: Node) => {
  const method = <Request, Reply>(
    handle: (request: Request, caller: Caller) => Promise<Reply>,
  ): handleUnaryCall<Request, Reply> =>
    unary(node, async (request, caller) => {
      node.access.allowOperator(caller, administrators, operators);
      return handle(request, caller);
    });
  return {
    create: method<CreateReq, CreateResp>((request, caller) => create(node, request, caller)),
    update: method<UpdateReq, UpdateResp>((request, caller) => update(node, request, caller)),
    delete: method<DeleteReq, DeleteResp>((request, caller) => remove(node, request, caller)),
    getInfo: method<GetInfoReq, GetInfoResp>((request) => getInfo(groupsOf(node), request)),
    list: method<ListReq, ListResp>((request) => list(groupsOf(node), request)),
    replayParked: method<ReplayParkedReq, ReplayParkedResp>((request) => replayParked(node, request)),
    restartSubsystem: method<Empty, Empty>(async () => {
      await groupsOf(node).restart();
      return new Empty();
    }),
  };
};
