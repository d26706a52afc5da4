/** What the files of a tenant take up, for decisions and reads, and its fold over one segment. */
import type { Instant } from '../../kernel/codec';
import type { FileId, VersionId } from '../ids';
import { fileLimits } from '../limits';
import type { StorageEvent, StorageLimits, StorageReservation } from './events';

export interface BegunSegment {
  readonly kind: 'begun';
  readonly segment: number;
  /** In this segment. */
  readonly events: number;
  /** Of completed uploads. */
  readonly usedBytes: number;
  /** Created and not deleted; some may wait for their bytes. */
  readonly files: number;
  readonly reservations: ReadonlyMap<VersionId, StorageReservation>;
  /** Of this segment and the one before. */
  readonly released: ReadonlySet<FileId>;
  readonly releasedHere: readonly FileId[];
  readonly limits: StorageLimits | null;
  readonly reconciledAt: Instant | null;
}
export type StorageState = { readonly kind: 'none' } | BegunSegment;

export const noStorage: StorageState = { kind: 'none' };

/** As of a tenant that never stored a file. */
export const emptySegment: BegunSegment = {
  ...{ kind: 'begun', segment: 0, events: 0, usedBytes: 0, files: 0, reservations: new Map(), released: new Set() },
  ...{ releasedHere: [], limits: null, reconciledAt: null },
};

export const reservedBytes = ({ reservations }: BegunSegment): number =>
  [...reservations.values()].reduce((sum, { bytes }) => sum + bytes, 0);

export const limitsOf = ({ limits }: BegunSegment): StorageLimits =>
  limits ?? { bytes: fileLimits.tenantBytes, files: fileLimits.tenantFiles };

const without = (
  reservations: BegunSegment['reservations'],
  ended: readonly VersionId[],
): BegunSegment['reservations'] => {
  const after = new Map(reservations);
  for (const versionId of ended) after.delete(versionId);
  return after;
};

type LaterEvent = Exclude<StorageEvent, { type: 'StorageSegmentBegun' }>;

const evolveBegun = (state: BegunSegment, { type, data }: LaterEvent): BegunSegment => {
  const { reservations, usedBytes, files } = state;
  switch (type) {
    case 'StorageReserved': {
      const { fileId, versionId, bytes, expiresAt, isNewFile } = data;
      const after = new Map(reservations).set(versionId, { fileId, versionId, bytes, expiresAt });
      return { ...state, reservations: after, files: isNewFile ? files + 1 : files };
    }
    case 'StorageSettled':
      return {
        ...state,
        usedBytes: usedBytes + data.bytes,
        reservations: without(reservations, [data.versionId]),
      };
    case 'ReservationReleased':
      return { ...state, reservations: without(reservations, [data.versionId]) };
    case 'FileStorageReleased':
      return {
        ...state,
        // Drift that was not corrected yet may have counted less.
        usedBytes: Math.max(0, usedBytes - data.bytes),
        files: Math.max(0, files - 1),
        reservations: without(reservations, data.endedReservations),
        released: new Set(state.released).add(data.fileId),
        releasedHere: [...state.releasedHere, data.fileId],
      };
    case 'StorageLimitsSet':
      return { ...state, limits: data.limits };
    case 'StorageCorrected':
      return {
        ...state,
        usedBytes: data.usedBytes,
        files: data.files,
        reservations: without(reservations, data.droppedReservations),
      };
    case 'StorageReconciled':
      return { ...state, reconciledAt: data.reconciledAt };
  }
};

export const evolve = (state: StorageState, event: StorageEvent): StorageState => {
  if (event.type === 'StorageSegmentBegun') {
    const { segment, usedBytes, files, reservations, released, limits, reconciledAt } = event.data;
    return {
      ...{ kind: 'begun', segment, events: 1, usedBytes, files, limits, reconciledAt, releasedHere: [] },
      reservations: new Map(reservations.map((one) => [one.versionId, one])),
      released: new Set(released),
    };
  }
  if (state.kind === 'none') return state;
  return { ...evolveBegun(state, event), events: state.events + 1 };
};
