/** Managing persistent subscriptions: replies and failures as they come over the wire. */
import assert from 'node:assert/strict';
import type { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { GetInfoResp, ListResp, SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { ServiceError } from '@grpc/grpc-js';
import { answered, type Failed } from '../../harness/raw-calls';
import { isFailed } from '../../harness/replies';
import {
  createRequest,
  deleteRequest,
  type GroupName,
  type GroupSettings,
  infoRequest,
  listRequest,
  replayRequest,
  updateRequest,
} from './requests';

type Answer<Reply = object> = Promise<Reply | Failed>;

export interface GroupCalls {
  readonly create: (name: GroupName, settings?: GroupSettings) => Answer;
  readonly update: (name: GroupName, settings?: GroupSettings) => Answer;
  readonly remove: (name: GroupName) => Answer;
  readonly info: (name: GroupName) => Answer<SubscriptionInfo>;
  readonly list: (of: Parameters<typeof listRequest>[0]) => Answer<readonly SubscriptionInfo[]>;
  readonly replay: (name: GroupName, stopAt?: number) => Answer;
  readonly restart: () => Answer;
}

const resultOf = <Reply>(call: (answer: (error: ServiceError | null, reply: Reply) => void) => void): Answer<Reply> =>
  new Promise((resolve) => call(answered<Reply>(resolve)));

export const groupCalls = (client: PersistentSubscriptionsClient): GroupCalls => ({
  create: (name, settings) => resultOf((answer) => client.create(createRequest(name, settings), answer)),
  update: (name, settings) => resultOf((answer) => client.update(updateRequest(name, settings), answer)),
  remove: (name) => resultOf((answer) => client.delete(deleteRequest(name), answer)),
  replay: (name, stopAt) => resultOf((answer) => client.replayParked(replayRequest(name, stopAt), answer)),
  restart: () => resultOf((answer) => client.restartSubsystem(new Empty(), answer)),
  info: async (name) => {
    const reply = await resultOf<GetInfoResp>((answer) => client.getInfo(infoRequest(name), answer));
    if (isFailed(reply)) return reply;
    const info = reply.getSubscriptionInfo();
    assert.ok(info !== undefined);
    return info;
  },
  list: async (of) => {
    const reply = await resultOf<ListResp>((answer) => client.list(listRequest(of), answer));
    return isFailed(reply) ? reply : reply.getSubscriptionsList();
  },
});
