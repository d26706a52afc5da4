/** Elements become chunks, which are stored in parts. */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Chunk } from '../../../domain/files/content/chunk';
import { openChunker } from '../../../domain/files/content/chunker';
import { Element } from '../../../domain/files/content/element';
import { DocumentFacts } from '../../../domain/files/content/read-result';
import { bytesPerPart, type ChunkPart, chunksPerPart } from '../../../domain/files/ingestion/events';
import { decodeStored } from '../../../domain/kernel/codec';
import type { JobFailure } from '../../kernel/work-queue/job-handler';
import { openOutput, readOutput, storeOutput } from './outputs';
import { again, plainResult, type StageEnd, type StageRun } from './stage-run';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const elementOf = (line: string): Element => {
  const element = decodeStored(Element, JSON.parse(line));
  if (isLeft(element)) throw new Error('A stored element does not decode.');
  return element.right;
};

/** Chunks wait here, as JSON, until they are a part. */
const openParts = (stage: StageRun) => {
  const parts: ChunkPart[] = [];
  let waiting: string[] = [];
  let bytes = 0;
  const store = async (): Promise<Either<JobFailure, undefined>> => {
    const content = Buffer.from(`{"chunks":[${waiting.join(',')}]}`);
    const stored = await storeOutput(stage, `chunks-${parts.length}`, content);
    if (isLeft(stored)) return stored;
    parts.push({ chunks: stored.right, count: waiting.length, vectors: null });
    waiting = [];
    bytes = 0;
    return right(undefined);
  };
  const add = async (chunks: readonly Chunk[]): Promise<Either<JobFailure, undefined>> => {
    for (const chunk of chunks) {
      const encoded = JSON.stringify(chunk);
      const size = Buffer.byteLength(encoded) + 1;
      if (waiting.length > 0 && (waiting.length >= chunksPerPart || bytes + size > bytesPerPart)) {
        const stored = await store();
        if (isLeft(stored)) return stored;
      }
      waiting.push(encoded);
      bytes += size;
    }
    return right(undefined);
  };
  const finish = async (): Promise<Either<JobFailure, readonly ChunkPart[]>> => {
    const stored = waiting.length === 0 ? right(undefined) : await store();
    return isLeft(stored) ? stored : right(parts);
  };
  return { add, finish };
};

export const storeChunks = async (stage: StageRun): StageEnd => {
  const { state, job, run } = stage;
  const [elements, facts] = state.done.text_extraction?.outputs ?? [];
  if (elements === undefined || facts === undefined) return again('The text is not extracted yet.');
  const document = await readOutput(stage, facts, DocumentFacts);
  if (isLeft(document)) return document;
  const opened = await openOutput(stage, elements);
  if (isLeft(opened)) return opened;
  const chunker = openChunker({ versionId: job.payload.versionId, document: document.right, sha256 });
  const parts = openParts(stage);
  for await (const line of createInterface({ input: opened.right.body, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (run.signal.aborted || chunker.isFull()) break;
    const added = await parts.add(chunker.add(elementOf(line)));
    if (isLeft(added)) return added;
  }
  opened.right.body.destroy();
  if (run.signal.aborted) return again('It was ended.');
  const { last, result } = chunker.finish();
  const added = await parts.add(last);
  if (isLeft(added)) return added;
  const stored = await parts.finish();
  if (isLeft(stored)) return stored;
  const outputs = stored.right.map(({ chunks }) => chunks);
  return right({
    result: plainResult({ outputs, count: result.chunks, notice: result.notice }),
    indexed: { parts: stored.right, embeddingModel: null },
  });
};
