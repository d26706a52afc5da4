/** Reading on in a subscription. */
import assert from 'node:assert/strict';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Followed } from '../harness/raw-calls';
import { isFailed } from '../harness/replies';

export const commitOf = (reply: ReadResp): bigint =>
  BigInt(reply.getEvent()?.getCommitPosition() ?? reply.getCheckpoint()?.getCommitPosition() ?? '');

/** Everything up to and with the reply that `enough` accepts. */
export const until = async ({ next }: Followed, enough: (reply: ReadResp) => boolean): Promise<readonly ReadResp[]> => {
  const replies: ReadResp[] = [];
  for (;;) {
    const reply = await next();
    if (isFailed(reply)) assert.fail(`ended: ${JSON.stringify(reply)}`);
    replies.push(reply);
    if (enough(reply)) return replies;
  }
};
export const isCaughtUp = (reply: ReadResp): boolean => reply.hasCaughtUp();
