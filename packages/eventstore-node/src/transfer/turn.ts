/** Whose turn it is in the lane of a stream and its metadata. */
import { isMetadataStream } from '../storage/heads';
import type { Group } from './group';
import type { LoggedLine } from './read-log';

/** The first event of the stream that comes after a group of its metadata; `unknown` when it is too far away to wait for. */
export type Following = LoggedLine | 'none' | 'unknown';

export interface Work {
  readonly put: (group: Group, following: Following) => Promise<void>;
  /** Whether events have to wait for the metadata that comes next in the log, or metadata for events. */
  readonly waits: (group: Group) => boolean;
}

const isMetadata = ({ stream }: Group): boolean => isMetadataStream(stream);

/** The lane's next group; undefined when what it waits for is not there yet. Metadata goes first where one waits. */
export const take = ({ waits }: Work, groups: Group[], patient: boolean): Group | undefined => {
  const [first] = groups;
  if (first === undefined || !waits(first)) return groups.shift();
  const other = groups.findIndex((group) => isMetadata(group) !== isMetadata(first));
  if (other >= 0 && !isMetadata(first)) return groups.splice(other, 1)[0];
  return patient && other < 0 ? undefined : groups.shift();
};

/** Of what is left after a group was taken. */
export const followingIn = (groups: readonly Group[], complete: boolean): Following =>
  groups.find((group) => !isMetadata(group))?.lines[0] ?? (complete ? 'none' : 'unknown');
