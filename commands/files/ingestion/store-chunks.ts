/** Elements become chunks, which are stored in parts. */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Chunk } from '../../../domain/files/content/chunk';
import { openChunker } from '../../../domain/files/content/chunker';
import type { ContentReference } from '../../../domain/files/content/content-reference';
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

/** Lines of a stored output, as elements. */
async function* elementsIn(stage: StageRun, reference: ContentReference): AsyncGenerator<Element> {
  const opened = await openOutput(stage, reference);
  if (isLeft(opened)) throw new StorageFault(opened.left.reason);
  try {
    for await (const line of createInterface({ input: opened.right.body, crlfDelay: Number.POSITIVE_INFINITY }))
      yield elementOf(line);
  } finally {
    opened.right.body.destroy();
  }
}

class StorageFault extends Error {}

const pageOf = ({ anchor }: Element): number => (anchor.type === 'page' ? anchor.pageNumber : 0);

/** Pages in their order, whether their text was extracted or recognised. */
async function* inPageOrder(one: AsyncGenerator<Element>, other: AsyncGenerator<Element>): AsyncGenerator<Element> {
  try {
    let [first, second] = [await one.next(), await other.next()];
    for (;;) {
      if (first.done === true && second.done === true) return;
      const isFirst = second.done === true || (first.done !== true && pageOf(first.value) <= pageOf(second.value));
      if (isFirst && first.done !== true) {
        yield first.value;
        first = await one.next();
      } else if (second.done !== true) {
        yield second.value;
        second = await other.next();
      }
    }
  } finally {
    await Promise.all([one.return(undefined), other.return(undefined)]);
  }
}

async function* noElements(): AsyncGenerator<Element> {}

export const storeChunks = async (stage: StageRun): StageEnd => {
  const { state, job, run } = stage;
  const [elements, facts] = state.done.text_extraction?.outputs ?? [];
  const [recognised] = state.done.ocr?.outputs ?? [];
  if (elements === undefined || facts === undefined) return again('The text is not extracted yet.');
  const document = await readOutput(stage, facts, DocumentFacts);
  if (isLeft(document)) return document;
  const chunker = openChunker({ versionId: job.payload.versionId, document: document.right, sha256 });
  const parts = openParts(stage);
  const more = recognised === undefined ? noElements() : elementsIn(stage, recognised);
  try {
    for await (const element of inPageOrder(elementsIn(stage, elements), more)) {
      if (run.signal.aborted) return again('It was ended.');
      if (chunker.isFull()) break;
      const added = await parts.add(chunker.add(element));
      if (isLeft(added)) return added;
    }
  } catch (error) {
    if (error instanceof StorageFault) return again(error.message);
    throw error;
  }
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
