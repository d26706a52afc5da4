/** Vectors of the chunks of a version, part by part. Without a model the version is found by its words, and the stage is tried again. */
import { isLeft, left, right } from 'fp-ts/Either';
import { type Chunk, ChunkList, type VectorList } from '../../../domain/files/content/chunk';
import type { ChunkPart } from '../../../domain/files/ingestion/events';
import { readOutput, storeOutput } from './outputs';
import { plainResult, type StageEnd, type StageRun } from './stage-run';

/** Chunks in one call of the model. */
const batchSize = 64;

/** Headings name the subject of a passage. */
const textOf = ({ headings, content }: Chunk): string => [...headings.slice(-2), content].join('\n');

const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

export const embedChunks = async (stage: StageRun): StageEnd => {
  const { deps, state, run } = stage;
  const embedder = deps.embedder();
  const total = state.parts.reduce((sum, { count }) => sum + count, 0);
  if (embedder === undefined) return left({ kind: 'deferred', reason: 'The model for vectors is not ready yet.' });
  const parts: ChunkPart[] = [];
  let done = 0;
  for (const [index, part] of state.parts.entries()) {
    const list = await readOutput(stage, part.chunks, ChunkList);
    if (isLeft(list)) return list;
    const vectors: string[] = [];
    for (let from = 0; from < list.right.chunks.length; from += batchSize) {
      const batch = list.right.chunks.slice(from, from + batchSize);
      const embedded = await embedder.embed(batch.map(textOf), { kind: 'passage', signal: run.signal });
      if (isLeft(embedded)) return left({ kind: 'deferred', reason: embedded.left.detail });
      vectors.push(...embedded.right.map(encodeVector));
      done += batch.length;
      run.reportProgress({ fraction: done / total, detail: `${done} of ${total} passages have vectors.` });
    }
    const content: VectorList = { model: embedder.model, dimensions: embedder.dimensions, vectors };
    const stored = await storeOutput(stage, `vectors-${index}`, Buffer.from(JSON.stringify(content)));
    if (isLeft(stored)) return stored;
    parts.push({ ...part, vectors: stored.right });
  }
  const outputs = parts.flatMap(({ vectors }) => (vectors === null ? [] : [vectors]));
  return right({ result: plainResult({ outputs, count: done }), indexed: { parts, embeddingModel: embedder.model } });
};
