/** The stages that make a file findable, and the version of what they do. */
import type * as t from 'io-ts';
import { integer, oneOf } from '../kernel/codec';

/**
 * Raised when chunks or their places would come out differently: files are then processed again beside what is there. 2: pictures and speech are
 * recognised after the text that the file holds is found, so that it does not wait for them. 3: passages of slides and of speech have the places
 * of their parts.
 */
export const pipelineVersion = 3;
export const PipelineVersion = integer(1);

/** In order. `indexing` writes chunks, words and vectors; it is done by projections, in the order of the log. */
export const stages = [
  'validation',
  'type_detection',
  'text_extraction',
  'chunking',
  'ocr',
  'transcription',
  'embedding',
  'indexing',
] as const;
export const Stage = oneOf('IngestionStage', stages);
export type Stage = t.TypeOf<typeof Stage>;

/** Stages that are jobs of workers, as the present pipeline has them. */
export const jobStages = [
  'validation',
  'type_detection',
  'text_extraction',
  'chunking',
  'ocr',
  'transcription',
  'embedding',
] as const satisfies readonly Stage[];
export type JobStage = (typeof jobStages)[number];
export const JobStageName = oneOf('IngestionJobStage', jobStages);

const jobStagesOfFirst: readonly JobStage[] = [
  ...(['validation', 'type_detection', 'text_extraction', 'ocr', 'chunking', 'embedding'] as const),
];

/** What an older pipeline has begun goes on by its own order. */
export const jobStagesOf = (version: number): readonly JobStage[] => (version === 1 ? jobStagesOfFirst : jobStages);

/** As they are shown: those of a version's pipeline, and the indexing after them. */
export const stagesOf = (version: number): readonly Stage[] => [...jobStagesOf(version), 'indexing'];

/** Stages that make chunks: the first of them all, the others more. */
export const indexingStages = ['chunking', 'ocr', 'transcription', 'embedding'] as const satisfies readonly JobStage[];
export type IndexingStage = (typeof indexingStages)[number];

export const isIndexingStage = (stage: JobStage): stage is IndexingStage =>
  (indexingStages as readonly JobStage[]).includes(stage);

/** Stages that run programs in a sandbox. */
export const readingStages: readonly JobStage[] = ['type_detection', 'text_extraction', 'ocr', 'transcription'];

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
