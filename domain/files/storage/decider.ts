/** A tenant's files fit its limits: what an upload session may store is reserved before its bytes are taken. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { refuseOverQuota } from '../../kernel/storage-quota';
import type { FileId, VersionId } from '../ids';
import { fileLimits } from '../limits';
import {
  type ReconciledCounts,
  type StorageEvent,
  type StorageLimits,
  type StorageReservation,
  segmentEvents,
  storages,
} from './events';
import { type BegunSegment, evolve, limitsOf, noStorage, reservedBytes, type StorageState } from './state';

interface OfVersion {
  readonly fileId: FileId;
  readonly versionId: VersionId;
}

export type StorageCommand =
  /** `before`: the segment before, which is full; an empty one where there is none. */
  | { readonly type: 'BeginSegment'; readonly before: BegunSegment }
  | ({ readonly type: 'ReserveStorage'; readonly isNewFile: boolean } & StorageReservation)
  | ({ readonly type: 'SettleStorage' } & OfVersion)
  | ({ readonly type: 'ReleaseReservation' } & OfVersion)
  /** `uploaded`: versions of the file whose uploads were completed. */
  | {
      readonly type: 'ReleaseFile';
      readonly fileId: FileId;
      readonly uploaded: readonly { readonly versionId: VersionId; readonly bytes: number }[];
    }
  | { readonly type: 'SetStorageLimits'; readonly limits: StorageLimits | null }
  /** `expected`: what was counted by, when the log was read. A segment that has changed since is corrected another time. */
  | {
      readonly type: 'CorrectStorage';
      readonly expected: { readonly segment: number; readonly events: number };
      readonly usedBytes: number;
      readonly files: number;
      readonly droppedReservations: readonly VersionId[];
    }
  | { readonly type: 'RecordReconciliation'; readonly at: Instant; readonly counts: ReconciledCounts };

export type StorageRejection =
  | 'storage-segment-missing'
  | 'storage-segment-full'
  | 'storage-quota-exceeded'
  | 'too-many-uploads';

type Decision = Either<Rejection<StorageRejection>, readonly StorageEvent[]>;
type CommandOf<Type extends StorageCommand['type']> = Extract<StorageCommand, { type: Type }>;

const reserve = (command: CommandOf<'ReserveStorage'>, state: BegunSegment): Decision => {
  const { fileId, versionId, bytes, expiresAt, isNewFile } = command;
  if (state.reservations.has(versionId)) return right([]);
  if (state.reservations.size >= fileLimits.openUploads)
    return reject(
      'too-many-uploads',
      `${fileLimits.openUploads} uploads of the tenant are open; complete some, or let them expire.`,
    );
  const limits = limitsOf(state);
  const quota = {
    whose: 'the tenant',
    limitBytes: limits.bytes,
    usedBytes: state.usedBytes,
    reservedBytes: reservedBytes(state),
  };
  const refused = refuseOverQuota(quota, { bytes, field: 'sizeBytes' });
  if (refused !== undefined) return refused;
  if (isNewFile && state.files >= limits.files)
    return reject('storage-quota-exceeded', `The tenant has ${state.files} files of ${limits.files}; none are left.`);
  return right([{ type: 'StorageReserved', data: { fileId, versionId, bytes, expiresAt, isNewFile } }]);
};

/** What has no reservation was settled or released before. */
const end = (
  type: 'StorageSettled' | 'ReservationReleased',
  { fileId, versionId }: OfVersion,
  { reservations }: BegunSegment,
): Decision => {
  const reservation = reservations.get(versionId);
  return right(reservation === undefined ? [] : [{ type, data: { fileId, versionId, bytes: reservation.bytes } }]);
};

/** A version that is uploaded and not settled yet is still reserved: it never was used. */
const releaseFile = ({ fileId, uploaded }: CommandOf<'ReleaseFile'>, state: BegunSegment): Decision => {
  const { reservations, released } = state;
  if (released.has(fileId)) return right([]);
  const settled = uploaded.filter(({ versionId }) => !reservations.has(versionId));
  const bytes = settled.reduce((sum, one) => sum + one.bytes, 0);
  const endedReservations = [...reservations.values()]
    .filter((one) => one.fileId === fileId)
    .map(({ versionId }) => versionId);
  return right([{ type: 'FileStorageReleased', data: { fileId, bytes, endedReservations } }]);
};

const correct = (command: CommandOf<'CorrectStorage'>, state: BegunSegment): Decision => {
  const { expected, usedBytes, files } = command;
  if (state.segment !== expected.segment || state.events !== expected.events) return right([]);
  const droppedReservations = command.droppedReservations.filter((versionId) => state.reservations.has(versionId));
  const isRight = state.usedBytes === usedBytes && state.files === files && droppedReservations.length === 0;
  return right(isRight ? [] : [{ type: 'StorageCorrected', data: { usedBytes, files, droppedReservations } }]);
};

const decideBegun = (command: Exclude<StorageCommand, { type: 'BeginSegment' }>, state: BegunSegment): Decision => {
  switch (command.type) {
    case 'ReserveStorage':
      return reserve(command, state);
    case 'SettleStorage':
      return end('StorageSettled', command, state);
    case 'ReleaseReservation':
      return end('ReservationReleased', command, state);
    case 'ReleaseFile':
      return releaseFile(command, state);
    case 'SetStorageLimits':
      return right([{ type: 'StorageLimitsSet', data: { limits: command.limits } }]);
    case 'CorrectStorage':
      return correct(command, state);
    case 'RecordReconciliation':
      return right([{ type: 'StorageReconciled', data: { reconciledAt: command.at, counts: command.counts } }]);
  }
};

const begin = ({ before }: CommandOf<'BeginSegment'>, state: StorageState): Decision => {
  if (state.kind !== 'none') return right([]);
  const { segment, usedBytes, files, reservations, releasedHere, limits, reconciledAt } = before;
  const sums = { segment: segment + 1, usedBytes, files, limits, reconciledAt };
  const carried = { reservations: [...reservations.values()], released: releasedHere };
  return right([{ type: 'StorageSegmentBegun', data: { ...sums, ...carried } }]);
};

const decide = (command: StorageCommand, state: StorageState): Decision => {
  if (command.type === 'BeginSegment') return begin(command, state);
  if (state.kind === 'none') return reject('storage-segment-missing', 'The segment is not begun.');
  if (state.events >= segmentEvents) return reject('storage-segment-full', 'The segment is full.');
  return decideBegun(command, state);
};

export const storage: Decider<StorageCommand, StorageState, StorageEvent, StorageRejection> = {
  family: storages,
  initial: noStorage,
  evolve,
  decide,
};
