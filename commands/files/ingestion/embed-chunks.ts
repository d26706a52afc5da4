/** Vectors of the chunks of a version, part by part. Without a model the version is found by its words, and the stage is tried again. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { ChunkList, type VectorList } from '../../../domain/files/content/chunk';
import type { ChunkPart } from '../../../domain/files/ingestion/events';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { type Deferred, defer } from '../../kernel/work-queue/recorded-job';
import { embeddedText, type KnownVectors, readKnownVectors } from './known-vectors';
import { readOutput, storeOutput } from './outputs';
import { plainResult, type StageEnd, type StageRun } from './stage-run';

/** Chunks in one call of the model. */
const batchSize = 64;

const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

interface Embedding {
  readonly embedder: Embedder;
  readonly known: KnownVectors;
}

interface EmbeddedTexts {
  readonly vectors: readonly string[];
  /** How many of them were not made. */
  readonly reused: number;
}

/** Texts that are the same have one vector, which is made once. */
const embedTexts = async (
  { embedder, known }: Embedding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Either<Deferred, EmbeddedTexts>> => {
  const fresh = [...new Set(texts.filter((text) => known.find(text) === undefined))];
  if (fresh.length > 0) {
    const embedded = await embedder.embed(fresh, { kind: 'passage', signal });
    if (isLeft(embedded)) return defer(embedded.left.detail);
    for (const [at, vector] of embedded.right.entries()) known.add(fresh[at] as string, encodeVector(vector));
  }
  const vectors = texts.map((text) => known.find(text) as string);
  return right({ vectors, reused: texts.length - fresh.length });
};

/** Vectors that are to be replaced are better than those of what stands in for the model. */
const usableEmbedder = ({ deps, state }: StageRun): Either<Deferred, Embedder> => {
  const embedder = deps.embedder();
  if (embedder === undefined) return defer('The model for vectors is not ready yet.');
  return embedder.isStandIn === true && state.wantedModel !== undefined
    ? defer(`The model ${state.wantedModel} for vectors cannot be used yet.`)
    : right(embedder);
};

export const embedChunks = async (stage: StageRun): StageEnd => {
  const { state, run } = stage;
  const usable = usableEmbedder(stage);
  if (isLeft(usable)) return left(usable.left);
  const embedder = usable.right;
  const known = await readKnownVectors(stage, embedder.model);
  const total = state.parts.reduce((sum, { count }) => sum + count, 0);
  const parts: ChunkPart[] = [];
  let [done, reused] = [0, 0];
  for (const [index, part] of state.parts.entries()) {
    const list = await readOutput(stage, part.chunks, ChunkList);
    if (isLeft(list)) return list;
    const vectors: string[] = [];
    for (let from = 0; from < list.right.chunks.length; from += batchSize) {
      const batch = list.right.chunks.slice(from, from + batchSize);
      const embedded = await embedTexts({ embedder, known }, batch.map(embeddedText), run.signal);
      if (isLeft(embedded)) return embedded;
      vectors.push(...embedded.right.vectors);
      reused += embedded.right.reused;
      done += batch.length;
      run.reportProgress({ fraction: done / total, detail: `${done} of ${total} passages have vectors.` });
    }
    const content: VectorList = { model: embedder.model, dimensions: embedder.dimensions, vectors };
    const stored = await storeOutput(stage, `vectors-${index}`, Buffer.from(JSON.stringify(content)));
    if (isLeft(stored)) return stored;
    parts.push({ ...part, vectors: stored.right });
  }
  const outputs = parts.flatMap(({ vectors }) => (vectors === null ? [] : [vectors]));
  const result = plainResult({ outputs, count: done, ...(reused === 0 ? {} : { reused }) });
  return right({ result, indexed: { parts, embeddingModel: embedder.model } });
};
