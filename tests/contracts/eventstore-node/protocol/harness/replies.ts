/** Replies in one word or two each, so that a whole conversation is one list in a test. */
import assert from 'node:assert/strict';
import { AppendResp, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Failed, Followed, ReadAnswer } from './raw-calls';

const revisionOf = (event: ReadResp.ReadEvent.RecordedEvent | undefined): string =>
  event === undefined ? '-' : event.getStreamRevision();

const eventText = (event: ReadResp.ReadEvent): string => {
  const link = event.getLink();
  return `event ${revisionOf(event.getEvent())}${link === undefined ? '' : ` by link ${link.getStreamRevision()}`}`;
};

export const replyText = (reply: ReadResp): string => {
  const event = reply.getEvent();
  if (event !== undefined) return eventText(event);
  if (reply.hasConfirmation()) return 'confirmation';
  if (reply.hasCheckpoint()) return 'checkpoint';
  if (reply.hasStreamNotFound()) return 'not found';
  if (reply.hasFirstStreamPosition()) return `first ${reply.getFirstStreamPosition()}`;
  if (reply.hasLastStreamPosition()) return `last ${reply.getLastStreamPosition()}`;
  return reply.hasCaughtUp() ? 'caught up' : 'unknown reply';
};

export const isFailed = (answer: object): answer is Failed => 'trailers' in answer;

export const textsOf = ({ replies, failed }: ReadAnswer): readonly string[] => {
  assert.equal(failed, undefined);
  return replies.map(replyText);
};

export const eventsOf = ({ replies }: ReadAnswer): readonly ReadResp.ReadEvent.RecordedEvent[] =>
  replies.flatMap((reply) => reply.getEvent()?.getEvent() ?? []);

export interface Appended {
  /** -1 when the stream is empty. */
  readonly revision: number;
  readonly position: bigint;
}

export const appended = (answer: AppendResp | Failed): Appended => {
  if (!(answer instanceof AppendResp)) assert.fail(`refused: ${JSON.stringify(answer)}`);
  const success = answer.getSuccess();
  const position = success?.getPosition();
  assert.ok(success !== undefined && position !== undefined, `not a success: ${JSON.stringify(answer.toObject())}`);
  assert.equal(position.getCommitPosition(), position.getPreparePosition());
  return {
    revision: success.hasNoStream() ? -1 : Number(success.getCurrentRevision()),
    position: BigInt(position.getCommitPosition()),
  };
};

/** The stream's revision in the answer to a refused append. */
export const wrongVersion = (answer: AppendResp | Failed): AppendResp.WrongExpectedVersion => {
  if (!(answer instanceof AppendResp)) assert.fail(`refused: ${JSON.stringify(answer)}`);
  const wrong = answer.getWrongExpectedVersion();
  assert.ok(wrong !== undefined, `not refused: ${JSON.stringify(answer.toObject())}`);
  return wrong;
};

export const currentOf = (wrong: AppendResp.WrongExpectedVersion): number =>
  wrong.hasCurrentNoStream() ? -1 : Number(wrong.getCurrentRevision());

export const positionOf = (answer: Failed | { getPosition(): { getCommitPosition(): string } | undefined }): bigint => {
  if (isFailed(answer)) assert.fail(`refused: ${JSON.stringify(answer)}`);
  return BigInt(answer.getPosition()?.getCommitPosition() ?? '');
};

/** So many replies of a subscription; a failure counts as one. */
export const followedTexts = async ({ next }: Followed, count: number): Promise<readonly string[]> => {
  const texts: string[] = [];
  while (texts.length < count) {
    const reply = await next();
    texts.push(isFailed(reply) ? `failed with ${reply.code}: ${reply.details}` : replyText(reply));
  }
  return texts;
};
