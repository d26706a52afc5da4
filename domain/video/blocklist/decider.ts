/** What is blocked is compared with every new video; a recording is blocked once. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId } from '../ids';
import type { BlocklistEvent, RecordingId } from './events';
import { type BlocklistState, blocklistRules } from './state';

/** All of them are compared with each video. */
const maxRecordings = 1_000;

export type BlocklistCommand =
  | {
      readonly type: 'BlockRecording';
      readonly recordingId: RecordingId;
      readonly name: string;
      readonly videoId: VideoId;
      readonly fingerprintSha256: string;
      readonly blockedBy: PrincipalId;
    }
  | { readonly type: 'UnblockRecording'; readonly recordingId: RecordingId; readonly unblockedBy: PrincipalId };

export type BlocklistRejection = 'recording-unknown' | 'too-many-recordings';

type Decision = Either<Rejection<BlocklistRejection>, readonly BlocklistEvent[]>;

const decide = (command: BlocklistCommand, { recordings, known }: BlocklistState): Decision => {
  if (command.type === 'BlockRecording') {
    const { type: _, ...data } = command;
    if (known.has(data.recordingId)) return right([]);
    if (recordings.size >= maxRecordings)
      return reject('too-many-recordings', `At most ${maxRecordings} recordings are blocked; unblock some.`);
    return right([{ type: 'RecordingBlocked', data }]);
  }
  const { recordingId, unblockedBy } = command;
  if (!known.has(recordingId)) return reject('recording-unknown', 'There is no such blocked recording.');
  return right(recordings.has(recordingId) ? [{ type: 'RecordingUnblocked', data: { recordingId, unblockedBy } }] : []);
};

export const blocklist: Decider<BlocklistCommand, BlocklistState, BlocklistEvent, BlocklistRejection> = {
  ...blocklistRules,
  decide,
};
