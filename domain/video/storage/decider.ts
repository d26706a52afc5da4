/** The sources of an owner fit the owner's limit: what an upload may store is reserved before its bytes are taken. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { refuseOverQuota } from '../../kernel/storage-quota';
import type { VideoUploadId } from '../ids';
import { videoLimits } from '../limits';
import { type VideoStorageEvent, videoStorages } from './events';

interface OfUpload {
  readonly ownerId: PrincipalId;
  readonly uploadId: VideoUploadId;
}

export type VideoStorageCommand =
  | (OfUpload & {
      readonly type: 'ReserveVideoStorage';
      readonly bytes: number;
      readonly expiresAt: Instant;
      readonly at: Instant;
    })
  | (OfUpload & { readonly type: 'SettleVideoStorage'; readonly bytes: number })
  | (OfUpload & { readonly type: 'ReleaseVideoStorage' })
  /** Its source is removed, whatever of its end is recorded by then. */
  | (OfUpload & { readonly type: 'FreeVideoStorage' });

export type VideoStorageRejection = 'storage-quota-exceeded' | 'too-many-uploads';

interface Reservation {
  readonly bytes: number;
  readonly expiresAt: Instant;
}

export interface VideoStorageState {
  readonly reservations: ReadonlyMap<VideoUploadId, Reservation>;
  /** By completed uploads. */
  readonly used: ReadonlyMap<VideoUploadId, number>;
  /** What is recorded late of their end counts no more. */
  readonly freed: ReadonlySet<VideoUploadId>;
}

type Decision = Either<Rejection<VideoStorageRejection>, readonly VideoStorageEvent[]>;
type CommandOf<Type extends VideoStorageCommand['type']> = Extract<VideoStorageCommand, { type: Type }>;

const sum = (all: Iterable<number>): number => [...all].reduce((total, one) => total + one, 0);

/** Those of uploads that ended long ago no longer count: what would have released them was lost. */
const openReservations = ({ reservations }: VideoStorageState, at: Instant): readonly Reservation[] =>
  [...reservations.values()].filter(({ expiresAt }) => expiresAt > at);

const reserve = (command: CommandOf<'ReserveVideoStorage'>, state: VideoStorageState): Decision => {
  const { type: _, at, ...reserved } = command;
  const { uploadId } = command;
  if (state.reservations.has(uploadId) || state.used.has(uploadId) || state.freed.has(uploadId)) return right([]);
  const open = openReservations(state, at);
  if (open.length >= videoLimits.openUploads)
    return reject(
      'too-many-uploads',
      `${videoLimits.openUploads} uploads of the owner are open; complete or abort some.`,
    );
  const quota = {
    whose: 'the owner',
    limitBytes: videoLimits.ownerBytes,
    usedBytes: sum(state.used.values()),
    reservedBytes: sum(open.map(({ bytes }) => bytes)),
  };
  const refused = refuseOverQuota(quota, { bytes: command.bytes, field: 'fileSize' });
  return refused ?? right([{ type: 'VideoStorageReserved', data: reserved }]);
};

const decide = (command: VideoStorageCommand, state: VideoStorageState): Decision => {
  const { ownerId, uploadId } = command;
  switch (command.type) {
    case 'ReserveVideoStorage':
      return reserve(command, state);
    case 'SettleVideoStorage': {
      const { bytes } = command;
      const isLate = state.used.has(uploadId) || state.freed.has(uploadId);
      return right(isLate ? [] : [{ type: 'VideoStorageSettled', data: { ownerId, uploadId, bytes } }]);
    }
    case 'ReleaseVideoStorage': {
      const bytes = state.reservations.get(uploadId)?.bytes;
      return right(bytes === undefined ? [] : [{ type: 'VideoStorageReleased', data: { ownerId, uploadId, bytes } }]);
    }
    case 'FreeVideoStorage': {
      const bytes = state.used.get(uploadId) ?? state.reservations.get(uploadId)?.bytes ?? 0;
      return right(
        state.freed.has(uploadId) ? [] : [{ type: 'VideoStorageFreed', data: { ownerId, uploadId, bytes } }],
      );
    }
  }
};

const evolve = (state: VideoStorageState, { type, data }: VideoStorageEvent): VideoStorageState => {
  const reservations = new Map(state.reservations);
  if (type === 'VideoStorageReserved') {
    const { uploadId, bytes, expiresAt } = data;
    return { ...state, reservations: reservations.set(uploadId, { bytes, expiresAt }) };
  }
  reservations.delete(data.uploadId);
  if (type === 'VideoStorageReleased') return { ...state, reservations };
  const used = new Map(state.used);
  if (type === 'VideoStorageSettled') return { ...state, reservations, used: used.set(data.uploadId, data.bytes) };
  used.delete(data.uploadId);
  return { reservations, used, freed: new Set(state.freed).add(data.uploadId) };
};

export const videoStorage: Decider<VideoStorageCommand, VideoStorageState, VideoStorageEvent, VideoStorageRejection> = {
  family: videoStorages,
  initial: { reservations: new Map(), used: new Map(), freed: new Set() },
  evolve,
  decide,
};
