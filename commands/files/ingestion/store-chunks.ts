/** Elements become chunks, which are stored in parts. */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { isLeft, right } from 'fp-ts/Either';
import type { Chunk, ChunkList } from '../../../domain/files/content/chunk';
import { chunkElements } from '../../../domain/files/content/chunker';
import { Element } from '../../../domain/files/content/element';
import { type ChunkPart, chunksPerPart } from '../../../domain/files/ingestion/events';
import { decodeStored } from '../../../domain/kernel/codec';
import { openOutput, storeOutput } from './outputs';
import { again, plainResult, type StageEnd, type StageRun } from './stage-run';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function* elementsOf(lines: AsyncIterable<string>): AsyncGenerator<Element> {
  for await (const line of lines) {
    const element = decodeStored(Element, JSON.parse(line));
    if (isLeft(element)) throw new Error('A stored element does not decode.');
    yield element.right;
  }
}

const storePart = async (stage: StageRun, index: number, chunks: readonly Chunk[]) => {
  const content: ChunkList = { chunks };
  return storeOutput(stage, `chunks-${index}`, Buffer.from(JSON.stringify(content)));
};

export const storeChunks = async (stage: StageRun): StageEnd => {
  const { state, job } = stage;
  const [elements] = state.done.text_extraction?.outputs ?? [];
  if (elements === undefined) return again('The text is not extracted yet.');
  const opened = await openOutput(stage, elements);
  if (isLeft(opened)) return opened;
  const lines = createInterface({ input: opened.right.body, crlfDelay: Number.POSITIVE_INFINITY });
  const parts: ChunkPart[] = [];
  let chunks: Chunk[] = [];
  let count = 0;
  const finishPart = async () => {
    const stored = await storePart(stage, parts.length, chunks);
    if (isLeft(stored)) return stored;
    parts.push({ chunks: stored.right, count: chunks.length, vectors: null });
    count += chunks.length;
    chunks = [];
    return stored;
  };
  for await (const chunk of chunkElements(elementsOf(lines), { versionId: job.payload.versionId, sha256 })) {
    chunks.push(chunk);
    if (chunks.length < chunksPerPart) continue;
    const finished = await finishPart();
    if (isLeft(finished)) return finished;
  }
  const finished = chunks.length === 0 ? right(undefined) : await finishPart();
  if (isLeft(finished)) return finished;
  const outputs = parts.map(({ chunks: content }) => content);
  return right({ result: plainResult({ outputs, count }), indexed: { parts, embeddingModel: null } });
};
