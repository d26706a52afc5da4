/** Vectors that are stored for texts already: of this version by the same model, or of the one that answers. They are not made again. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { type Chunk, ChunkList, VectorList } from '../../../domain/files/content/chunk';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import { ingestion } from '../../../domain/files/ingestion/decider';
import { type ChunkPart, ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import type { RequestedIngestion } from '../../../domain/files/ingestion/state';
import { loadStream } from '../../kernel/load-stream';
import { readOutput } from './outputs';
import type { StageRun } from './stage-run';

/** Headings name the subject of a passage. */
export const embeddedText = ({ headings, content }: Pick<Chunk, 'headings' | 'content'>): string =>
  [...headings.slice(-2), content].join('\n');

/** By the SHA-256 of the embedded text; the vectors as they are stored. */
export interface KnownVectors {
  readonly find: (text: string) => string | undefined;
  readonly add: (text: string, vector: string) => void;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const createKnownVectors = (): KnownVectors => {
  const vectors = new Map<string, string>();
  return {
    find: (text) => vectors.get(digestOf(text)),
    add: (text, vector) => void vectors.set(digestOf(text), vector),
  };
};

/** Contents that are gone or damaged are no reason to fail: their vectors are made again. */
const addPart = async (stage: StageRun, part: ChunkPart, model: string, known: KnownVectors): Promise<void> => {
  if (part.vectors === null) return;
  const vectors = await readOutput(stage, part.vectors, VectorList);
  if (isLeft(vectors) || vectors.right.model !== model) return;
  const list = await readOutput(stage, part.chunks, ChunkList);
  if (isLeft(list)) return;
  for (const [at, chunk] of list.right.chunks.entries()) {
    const vector = vectors.right.vectors[at];
    if (typeof vector === 'string') known.add(embeddedText(chunk), vector);
  }
};

/** As another version, or another pipeline, processed the file; undefined where this ingestion itself answers, or none. */
const activeIngestion = async ({ deps, tenant, state }: StageRun): Promise<RequestedIngestion | undefined> => {
  const { fileId, versionId, pipelineVersion } = state;
  const file = await loadStream(deps, fileRules, fileStream(tenant, fileId));
  if (isLeft(file) || file.right.kind === 'none' || file.right.active === undefined) return undefined;
  const { active } = file.right;
  if (active.versionId === versionId && active.pipelineVersion === pipelineVersion) return undefined;
  const id = ingestionIdOf(active.versionId, active.pipelineVersion);
  const loaded = await loadStream(deps, ingestion, ingestionStream(tenant, id));
  return isLeft(loaded) || loaded.right.kind === 'none' ? undefined : loaded.right;
};

export const readKnownVectors = async (stage: StageRun, model: string): Promise<KnownVectors> => {
  const known = createKnownVectors();
  for (const processed of [stage.state, await activeIngestion(stage)])
    for (const part of processed?.parts ?? []) {
      if (stage.run.signal.aborted) return known;
      await addPart(stage, part, model, known);
    }
  return known;
};
