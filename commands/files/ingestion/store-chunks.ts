/** Elements become chunks, which are stored in parts. */

import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Chunk } from '../../../domain/files/content/chunk';
import { openChunker } from '../../../domain/files/content/chunker';
import type { ContentReference } from '../../../domain/files/content/content-reference';
import { Element } from '../../../domain/files/content/element';
import { DocumentFacts } from '../../../domain/files/content/read-result';
import { bytesPerPart, type ChunkPart, chunksPerPart } from '../../../domain/files/ingestion/events';
import { decodeStored } from '../../../domain/kernel/codec';
import { again, type JobFailure } from '../../kernel/work-queue/job-handler';
import { bytesOf } from '../../kernel/work-queue/object-bytes';
import { StorageFault } from '../../kernel/work-queue/recorded-job';
import { openOutput, readOutput, storeOutput } from './outputs';
import { plainResult, type StageEnd, type StageRun } from './stage-run';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const elementOf = (line: string): Element => {
  const element = decodeStored(Element, JSON.parse(line));
  if (isLeft(element)) throw new Error('A stored element does not decode.');
  return element.right;
};

/** Chunks wait here, as JSON, until they are a part. */
const openParts = (stage: StageRun, name: string) => {
  const parts: ChunkPart[] = [];
  let waiting: string[] = [];
  let bytes = 0;
  const store = async (): Promise<Either<JobFailure, undefined>> => {
    const content = Buffer.from(`{"chunks":[${waiting.join(',')}]}`);
    const stored = await storeOutput(stage, `${name}-${parts.length}`, content);
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
    for await (const line of createInterface({
      input: Readable.from(bytesOf(opened.right.body)),
      crlfDelay: Number.POSITIVE_INFINITY,
    }))
      yield elementOf(line);
  } finally {
    opened.right.body.destroy();
  }
}

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

interface ChunkSource {
  readonly elements: AsyncGenerator<Element>;
  readonly document: DocumentFacts;
  /** Of what is stored. */
  readonly name: string;
  /** Of the first chunk. */
  readonly firstOrdinal?: number;
}

interface StoredChunks {
  readonly parts: readonly ChunkPart[];
  readonly chunks: number;
  readonly notice: string | null;
}

const storeChunksOf = async (
  stage: StageRun,
  { elements, document, name, firstOrdinal = 0 }: ChunkSource,
): Promise<Either<JobFailure, StoredChunks>> => {
  const { versionId } = stage.job.payload;
  const chunker = openChunker({ versionId, document, sha256, firstOrdinal });
  const parts = openParts(stage, name);
  for await (const element of elements) {
    if (stage.run.signal.aborted) return again('It was ended.');
    if (chunker.isFull()) break;
    const added = await parts.add(chunker.add(element));
    if (isLeft(added)) return added;
  }
  const { last, result } = chunker.finish();
  const added = await parts.add(last);
  if (isLeft(added)) return added;
  const stored = await parts.finish();
  return isLeft(stored) ? stored : right({ parts: stored.right, ...result });
};

export const factsOf = async (stage: StageRun): Promise<Either<JobFailure, DocumentFacts>> => {
  const [, facts] = stage.state.done.text_extraction?.outputs ?? [];
  return facts === undefined ? again('The text is not extracted yet.') : readOutput(stage, facts, DocumentFacts);
};

export const storeChunks = async (stage: StageRun): StageEnd => {
  const { done } = stage.state;
  const [elements] = done.text_extraction?.outputs ?? [];
  // Of the first pipeline, which recognised pictures before.
  const [recognised] = done.ocr?.outputs ?? [];
  if (elements === undefined) return again('The text is not extracted yet.');
  const document = await factsOf(stage);
  if (isLeft(document)) return document;
  const more = recognised === undefined ? noElements() : elementsIn(stage, recognised);
  const stored = await storeChunksOf(stage, {
    elements: inPageOrder(elementsIn(stage, elements), more),
    document: document.right,
    name: 'chunks',
  });
  if (isLeft(stored)) return stored;
  const { parts, chunks, notice } = stored.right;
  const outputs = parts.map((part) => part.chunks);
  return right({ result: plainResult({ outputs, count: chunks, notice }), indexed: { parts, embeddingModel: null } });
};

/** Chunks of what was recognised after the file's own text, which has its chunks already. */
export const addChunks = async (
  stage: StageRun,
  recognised: ContentReference,
  { count, notice }: { readonly count: number; readonly notice: string | null },
): StageEnd => {
  const { done, parts: before } = stage.state;
  const result = plainResult({ outputs: [recognised], count, notice });
  if (count === 0 || done.chunking === undefined) return right({ result });
  const document = await factsOf(stage);
  if (isLeft(document)) return document;
  const stored = await storeChunksOf(stage, {
    elements: elementsIn(stage, recognised),
    document: document.right,
    name: `${stage.job.payload.stage}-chunks`,
    firstOrdinal: before.reduce((sum, part) => sum + part.count, 0),
  });
  if (isLeft(stored)) return stored;
  const { parts, notice: left } = stored.right;
  const outputs = [recognised, ...parts.map(({ chunks }) => chunks)];
  return right({
    result: { ...result, outputs, notice: notice ?? left },
    indexed: { parts: [...before, ...parts], embeddingModel: null },
  });
};
