/** Events of the deletion of a file for ever: its steps, each with the counts that prove it. */
import type * as t from 'io-ts';
import { Instant, integer, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { FileId } from '../ids';

/**
 * In order. `processing`: ingestions end, chunks are withdrawn. `index`: no copy of the search index has a passage or a vector of it.
 * `objects`: all stored versions of the bytes, what was extracted of them, and unfinished uploads. `key`: what opens its names in the log.
 * `proof`: all of these are counted again.
 */
export const deletionSteps = ['processing', 'index', 'objects', 'key', 'proof'] as const;
export const DeletionStep = oneOf('FileDeletionStep', deletionSteps);
export type DeletionStep = t.TypeOf<typeof DeletionStep>;

/** `person`: by its owner. `retention`: it was in the trash for too long. `abandoned`: its upload was never completed. */
export const DeletionCause = oneOf('FileDeletionCause', ['person', 'retention', 'abandoned']);
export type DeletionCause = t.TypeOf<typeof DeletionCause>;

export const DeletionFailure = text('FileDeletionFailure', {
  maxLength: 300,
  examples: ['The search index does not answer.'],
});

const file = { fileId: FileId };

/** A file has one. */
export const deletions = aggregate(
  { context: 'files', name: 'deletion', id: FileId },
  {
    DeletionBegun: { v: 1, data: { ...file, ownerId: PrincipalId, cause: DeletionCause, begunAt: Instant } },
    /** `removed` of it, `left` when it was counted afterwards. */
    DeletionStepCompleted: {
      v: 1,
      data: { ...file, step: DeletionStep, removed: integer(0), left: integer(0, 0) },
    },
    /** It could not be completed, and is tried again. */
    DeletionStepDelayed: { v: 1, data: { ...file, step: DeletionStep, reason: DeletionFailure, attempt: integer(1) } },
    FileDeleted: { v: 1, data: { ...file, deletedAt: Instant } },
    /** What arrived after the deletion by an address that was still valid. */
    RemainsRemoved: { v: 1, data: { ...file, removed: integer(1) } },
  },
);
export type DeletionEvent = typeof deletions.Event;

export const { stream: deletionStream } = deletions;
