/** A stream, a group on it and its consumers, in a line or two. */
import assert from 'node:assert/strict';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb';
import { append, type Failed } from '../../harness/raw-calls';
import { type Appended, appended, isFailed } from '../../harness/replies';
import type { Server } from '../../harness/server-under-test';
import { freshStream, type Proposed, several } from '../../harness/stream-requests';
import { type GroupCalls, groupCalls } from './group-calls';
import { type Consumer, tryConsume } from './manual-consumer';
import type { GroupName, GroupSettings } from './requests';

export interface Stage {
  readonly calls: () => GroupCalls;
  readonly append: (stream: string, events?: number | readonly Proposed[]) => Promise<Appended>;
  /** A group on a new stream. */
  readonly group: (settings?: GroupSettings, events?: number) => Promise<Required<GroupName>>;
  readonly consume: (name: GroupName, slots?: number) => Promise<Consumer>;
  readonly tryConsume: (name: GroupName, slots?: number) => Promise<Consumer | Failed>;
  readonly info: (name: GroupName) => Promise<SubscriptionInfo>;
  /** Polls the group: an acknowledgement has no answer, and the group handles it later. */
  readonly eventually: (name: GroupName, isSo: (info: SubscriptionInfo) => boolean) => Promise<SubscriptionInfo>;
}

export const succeeded = <Reply extends object>(answer: Reply | Failed): Reply => {
  if (isFailed(answer)) assert.fail(`refused: ${JSON.stringify(answer)}`);
  return answer;
};

/** Called inside a `describe`: consumers are cancelled after each test. */
export const stageOn = ({ raw, stub }: Server): Stage => {
  const consumers: Consumer[] = [];
  let client: PersistentSubscriptionsClient | undefined;
  const opened = (): PersistentSubscriptionsClient => (client ??= stub(PersistentSubscriptionsClient));
  afterEach(() => {
    for (const consumer of consumers.splice(0)) consumer.cancel();
  });
  const calls = (): GroupCalls => groupCalls(opened());
  const appendTo: Stage['append'] = async (stream, events = 1) =>
    appended(await append(raw(), { stream, events: typeof events === 'number' ? several(events) : events }));
  const tryOne: Stage['tryConsume'] = async (name, slots) => {
    const consumer = await tryConsume(opened(), name, slots);
    if (!isFailed(consumer)) consumers.push(consumer);
    return consumer;
  };
  const info: Stage['info'] = async (name) => succeeded(await calls().info(name));
  return {
    calls,
    append: appendTo,
    group: async (settings, events = 0) => {
      const name = { stream: freshStream('persistent'), group: 'workers' };
      if (events > 0) await appendTo(name.stream, events);
      succeeded(await calls().create(name, settings));
      return name;
    },
    consume: async (name, slots) => succeeded(await tryOne(name, slots)),
    tryConsume: tryOne,
    info,
    eventually: async (name, isSo) => {
      for (;;) {
        const now = await info(name);
        if (isSo(now)) return now;
      }
    },
  };
};
