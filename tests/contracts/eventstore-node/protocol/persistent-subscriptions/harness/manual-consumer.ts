/** A consumer of a persistent subscription that acknowledges by hand. */
import assert from 'node:assert/strict';
import type { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { type Failed, failedOf, failure } from '../../harness/raw-calls';
import { isFailed } from '../../harness/replies';
import { ackRequest, connectRequest, type GroupName, nackRequest } from './requests';

export const { Action } = ReadReq.Nack;

/** One line each, so that what was given out is a list in a test. */
export interface Given {
  /** `event 3`, `event 3 retry 1`, `event 2 by link 0`, `event - by link 0`. */
  readonly text: string;
  readonly id: string;
  readonly event: ReadResp.ReadEvent;
}

export interface Consumer {
  readonly next: () => Promise<Given | Failed>;
  readonly take: (count: number) => Promise<readonly Given[]>;
  /** How the call ended. */
  readonly ended: () => Promise<Failed>;
  readonly ack: (...given: readonly Given[]) => void;
  readonly nack: (action: ReadReq.Nack.Action, ...given: readonly Given[]) => void;
  readonly send: (request: ReadReq) => void;
  readonly cancel: () => void;
  readonly subscriptionId: string;
}

const revisionText = (event: ReadResp.ReadEvent.RecordedEvent | undefined): string =>
  event === undefined ? '-' : event.getStreamRevision();

const givenOf = (event: ReadResp.ReadEvent): Given => {
  const link = event.getLink();
  const retries = event.getRetryCount();
  const text =
    `event ${revisionText(event.getEvent())}` +
    (link === undefined ? '' : ` by link ${link.getStreamRevision()}`) +
    (retries === 0 ? '' : ` retry ${retries}`);
  return { text, id: (link ?? event.getEvent())?.getId()?.getString() ?? '', event };
};

export const textsOf = (given: readonly Given[]): readonly string[] => given.map(({ text }) => text);

const next = async (replies: AsyncIterator<ReadResp>): Promise<ReadResp | Failed> => {
  try {
    const { value, done } = (await replies.next()) as IteratorResult<ReadResp, undefined>;
    return done === true ? failure(status.OK, 'The call ended.') : value;
  } catch (error) {
    return failedOf(error as ServiceError);
  }
};

const consumerOn = (
  call: ReturnType<PersistentSubscriptionsClient['read']>,
  replies: AsyncIterator<ReadResp>,
  subscriptionId: string,
): Consumer => {
  const nextGiven = async (): Promise<Given | Failed> => {
    const reply = await next(replies);
    if (isFailed(reply)) return reply;
    const event = reply.getEvent();
    assert.ok(event !== undefined, 'neither an event nor an end');
    return givenOf(event);
  };
  const send = (request: ReadReq): void => void call.write(request);
  return {
    subscriptionId,
    next: nextGiven,
    take: async (count) => {
      const given: Given[] = [];
      while (given.length < count) {
        const one = await nextGiven();
        assert.ok(!isFailed(one), `ended: ${JSON.stringify(one)}`);
        given.push(one);
      }
      return given;
    },
    ended: async () => {
      for (;;) {
        const one = await nextGiven();
        if (isFailed(one)) return one;
      }
    },
    ack: (...given) => send(ackRequest(given.map(({ id }) => id))),
    nack: (action, ...given) =>
      send(
        nackRequest(
          action,
          'because',
          given.map(({ id }) => id),
        ),
      ),
    send,
    cancel: () => call.cancel(),
  };
};

/** The failure when the group does not take it. */
export const tryConsume = async (
  client: PersistentSubscriptionsClient,
  name: GroupName,
  slots = 10,
): Promise<Consumer | Failed> => {
  const call = client.read();
  // Cancelling is an error to grpc-js; no caller awaits it any more.
  call.on('error', () => undefined);
  const replies = call[Symbol.asyncIterator]() as AsyncIterator<ReadResp>;
  call.write(connectRequest(name, slots));
  const first = await next(replies);
  if (isFailed(first)) return first;
  const id = first.getSubscriptionConfirmation()?.getSubscriptionId();
  assert.ok(id !== undefined, 'the first reply is no confirmation');
  return consumerOn(call, replies, id);
};
