/** State of a tenant's list of blocked recordings. */
import type { VideoId } from '../ids';
import { type BlocklistEvent, blocklists, type RecordingId } from './events';

export interface BlockedRecording {
  readonly recordingId: RecordingId;
  readonly name: string;
  readonly videoId: VideoId;
  readonly fingerprintSha256: string;
}

export interface BlocklistState {
  /** That are blocked now. */
  readonly recordings: ReadonlyMap<RecordingId, BlockedRecording>;
  /** That were ever blocked. */
  readonly known: ReadonlySet<RecordingId>;
}

const evolve = ({ recordings, known }: BlocklistState, { type, data }: BlocklistEvent): BlocklistState => {
  const next = new Map(recordings);
  if (type === 'RecordingUnblocked') {
    next.delete(data.recordingId);
    return { recordings: next, known };
  }
  const { recordingId, name, videoId, fingerprintSha256 } = data;
  next.set(recordingId, { recordingId, name, videoId, fingerprintSha256 });
  return { recordings: next, known: new Set(known).add(recordingId) };
};

const noRecordings: BlocklistState = { recordings: new Map(), known: new Set() };

export const blocklistRules = { family: blocklists, initial: noRecordings, evolve };
