/** The stages that make a file findable, and the version of what they do. */
import type * as t from 'io-ts';
import { integer, oneOf } from '../kernel/codec';

/** Raised when chunks or their places would come out differently: files are then processed again beside what is there. */
export const pipelineVersion = 1;
export const PipelineVersion = integer(1);

/** In order. `indexing` writes chunks, words and vectors; it is done by projections, in the order of the log. */
export const stages = [
  'validation',
  'type_detection',
  'text_extraction',
  'ocr',
  'chunking',
  'embedding',
  'indexing',
] as const;
export const Stage = oneOf('IngestionStage', stages);
export type Stage = t.TypeOf<typeof Stage>;

/** Stages that are jobs of workers. */
export const jobStages = [
  'validation',
  'type_detection',
  'text_extraction',
  'ocr',
  'chunking',
  'embedding',
] as const satisfies readonly Stage[];
export type JobStage = (typeof jobStages)[number];

export const FileStatus = oneOf('FileStatus', [
  'UPLOADING',
  'UPLOADED',
  'PROCESSING',
  'PARTIALLY_READY',
  'READY',
  'FAILED',
  'DELETING',
  'DELETED',
]);
export type FileStatus = t.TypeOf<typeof FileStatus>;
