/** Events of what the files of a tenant take up: reserved by upload sessions, settled by their ends, released by deletions. */
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, record } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { FileId, VersionId } from '../ids';
import { fileLimits } from '../limits';

/** Events of one segment; a full one takes no more. */
export const segmentEvents = 1_000;

export const StorageReservation = record('StorageReservation', {
  fileId: FileId,
  versionId: VersionId,
  bytes: integer(1),
  /** Of the upload session. */
  expiresAt: Instant,
});
export type StorageReservation = t.TypeOf<typeof StorageReservation>;

export const StorageLimits = record('StorageLimits', { bytes: integer(0), files: integer(0) });
export type StorageLimits = t.TypeOf<typeof StorageLimits>;

/** What the reconciler found of one tenant, and repaired. */
export const ReconciledCounts = record('ReconciledCounts', {
  /** Objects, earlier versions and unfinished uploads that belong to no file or version. */
  removedObjects: integer(0),
  /** Passages in the index that belong to no version that answers. */
  removedDocuments: integer(0),
  /** Versions whose passages were missing from the index. */
  reindexedVersions: integer(0),
  /** The difference between what was counted and what the log has. */
  correctedBytes: integer(0),
  correctedFiles: integer(0),
  droppedReservations: integer(0),
});
export type ReconciledCounts = t.TypeOf<typeof ReconciledCounts>;

const file = { fileId: FileId };

export const storages = aggregate(
  { context: 'files', name: 'storage' },
  {
    /** Carries the sums of the segment before, which is full. */
    StorageSegmentBegun: {
      v: 1,
      data: {
        segment: integer(1),
        usedBytes: integer(0),
        files: integer(0),
        reservations: listOf('CarriedReservations', StorageReservation, fileLimits.openUploads),
        /** Files released in the segment before: a repetition of their release has no effect. */
        released: listOf('CarriedReleases', FileId, segmentEvents),
        /** Null: those of every tenant. */
        limits: nullable(StorageLimits),
        reconciledAt: nullable(Instant),
      },
    },
    /** An upload session may store so many bytes. */
    StorageReserved: {
      v: 1,
      data: { ...file, versionId: VersionId, bytes: integer(1), expiresAt: Instant, isNewFile: t.boolean },
    },
    /** The bytes are stored: they are used from now on. */
    StorageSettled: { v: 1, data: { ...file, versionId: VersionId, bytes: integer(1) } },
    /** The upload session has expired. */
    ReservationReleased: { v: 1, data: { ...file, versionId: VersionId, bytes: integer(1) } },
    /** The file is deleted: its bytes are used no more, and its reservations end. */
    FileStorageReleased: {
      v: 1,
      data: {
        ...file,
        bytes: integer(0),
        endedReservations: listOf('EndedReservations', VersionId, fileLimits.versions),
      },
    },
    /** By an operator; null: those of every tenant again. */
    StorageLimitsSet: { v: 1, data: { limits: nullable(StorageLimits) } },
    /** To what the log of the files comes to. */
    StorageCorrected: {
      v: 1,
      data: {
        usedBytes: integer(0),
        files: integer(0),
        droppedReservations: listOf('DroppedReservations', VersionId, fileLimits.openUploads),
      },
    },
    StorageReconciled: { v: 1, data: { reconciledAt: Instant, counts: ReconciledCounts } },
  },
);
export type StorageEvent = typeof storages.Event;

/** Segments have numbers, from 1: a full one is followed by the next, so that no stream grows without end. */
export const storageStream = (tenant: TenantId, segment: number): string => storages.stream(tenant, `${segment}`);
