/**
 * Composes an answer: chunks that the caller may see, sentences of a model or of the chunks themselves, and a second look at the access, because
 * a model takes seconds. What was revoked meanwhile is in no answer, not even as what a model had read.
 */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { AnswerModel } from '../../../infra/ports/files/answer-model';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { RouteRequest } from '../../../infra/server/http/routing/route';
import type { ContentReading } from '../content';
import { tenantOf } from '../file-reading';
import type { SearchScope } from '../search/access-filter';
import { type AuthorizedChunk, authorizeChunks } from '../search/authorize-chunks';
import type { QueryVector } from '../search/chunk-queries';
import { type RetrievalReading, retrieve } from '../search/retrieve';
import { plainQuery } from '../search/search-query';
import { type AnswerSentence, joinedText } from './answer-sentence';
import { type AnswerCitation, type AnswerSentenceBody, openCiter } from './cite';
import {
  type Candidates,
  chooseSentences,
  embeddedText,
  findCandidates,
  type Likeness,
} from './extract/extract-answer';
import { shortenedQuestions } from './extract/question';
import type { Sentence } from './extract/sentences';
import type { TenantSlots } from './model/tenant-slots';
import { type WrittenAnswer, writeAnswer } from './model/write-answer';

export interface AnswerReading extends RetrievalReading, Pick<ContentReading, 'blobs'> {
  /** Undefined: answers are extracts. */
  readonly answerModel: { readonly model: AnswerModel; readonly slots: TenantSlots } | undefined;
}

export interface Question {
  readonly question: string;
  readonly scope: SearchScope;
  readonly topK: number;
  readonly requireCitations: boolean;
}

export interface ComposedAnswer {
  readonly answer: string | null;
  readonly reason: 'insufficient_evidence' | null;
  readonly sentences: readonly AnswerSentenceBody[];
  readonly citations: readonly AnswerCitation[];
  readonly generator: string;
  readonly degraded: readonly ('semantic' | 'model')[];
}

/** What is sent before the whole answer is there; the whole answer takes its place. */
export interface EarlySentence {
  readonly sentence: AnswerSentenceBody;
  /** Citations that are appended to the list. */
  readonly added: readonly AnswerCitation[];
}

export interface Composed {
  readonly body: ComposedAnswer;
  /** Chunks that the answer was made from, and all that a model was sent: what an audit names. */
  readonly read: readonly AuthorizedChunk[];
  readonly headers: { readonly [name: string]: string };
}

type Request = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>;

const extractive = 'extractive';
const embedMilliseconds = 1_500;

const similarity = (vector: Float32Array, other: ArrayLike<number>): number =>
  vector.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

/** Undefined where the odds are not fitted to the embedder, or it does not answer in time: words alone decide. */
const likenessesOf = async (
  embedder: Embedder | undefined,
  { question, sentences }: Candidates,
  { vector, signal }: { readonly vector: QueryVector | undefined; readonly signal: AbortSignal },
): Promise<readonly Likeness[] | undefined> => {
  if (embedder === undefined || vector === undefined || embedder.model !== vector.model) return undefined;
  if (embedder.isCalibrated !== true) return undefined;
  if (sentences.length === 0) return undefined;
  const texts = sentences.map(({ sentence }) => embeddedText(sentence));
  const until = AbortSignal.any([signal, AbortSignal.timeout(embedMilliseconds)]);
  const [vectors, shortened] = await Promise.all([
    embedder.embed(texts, { kind: 'passage', signal: until }),
    embedder.embed(shortenedQuestions(question), { kind: 'query', signal: until }),
  ]);
  if (isLeft(vectors) || isLeft(shortened)) return undefined;
  return vectors.right.map((one) => ({
    toQuestion: similarity(one, vector.vector),
    toShortened: shortened.right.map((other) => similarity(one, other)),
  }));
};

const extractedSentence = ({ chunk, form, from, to, goesOnTo = to, header }: Sentence): AnswerSentence => {
  const quote = chunk.content.slice(from, goesOnTo);
  return {
    text: header === '' ? quote : `${header}\n${quote}`,
    form: form === 'row' || form === 'code' ? 'lines' : 'prose',
    quotes: [{ chunk, from, to: goesOnTo }],
  };
};

interface Draft {
  readonly sentences: readonly AnswerSentence[];
  readonly sources: readonly AuthorizedChunk[];
  readonly generator: string;
  readonly isModelAway: boolean;
}

interface Material {
  readonly tenant: TenantId;
  readonly question: Question;
  readonly chunks: readonly AuthorizedChunk[];
  readonly vector: QueryVector | undefined;
  readonly signal: AbortSignal;
}

const extract = async (reading: AnswerReading, material: Material): Promise<readonly AnswerSentence[]> => {
  const candidates = findCandidates(material.question.question, material.chunks);
  const likenesses = await likenessesOf(reading.embedder(), candidates, material);
  return chooseSentences(candidates, likenesses).map(extractedSentence);
};

/** Undefined: the model is away, busy or failed. */
const writtenBy = async (
  { answerModel }: AnswerReading,
  { tenant, question, chunks, signal }: Material,
  onSentence: (sentence: AnswerSentence) => Promise<void>,
): Promise<WrittenAnswer | undefined> => {
  const release = answerModel?.slots.acquire(tenant);
  if (answerModel === undefined || release === undefined) return undefined;
  try {
    const writing = writeAnswer(answerModel.model, { ...question, chunks, signal });
    for (;;) {
      const next = await writing.next();
      if (next.done !== true) await onSentence(next.value);
      else return isLeft(next.value) ? undefined : next.value.right;
    }
  } finally {
    release();
  }
};

const draftOf = async (
  reading: AnswerReading,
  material: Material,
  onSentence: (sentence: AnswerSentence) => Promise<void>,
): Promise<Draft> => {
  const { answerModel } = reading;
  // Without sources there is nothing that a model may write.
  if (answerModel !== undefined && material.chunks.length > 0) {
    const written = await writtenBy(reading, material, onSentence);
    if (written !== undefined) return { ...written, generator: answerModel.model.name, isModelAway: false };
  }
  const sentences = await extract(reading, material);
  const isModelAway = answerModel !== undefined && material.chunks.length > 0;
  return {
    sentences,
    sources: sentences.flatMap(({ quotes }) => quotes.map(({ chunk }) => chunk)),
    generator: extractive,
    isModelAway,
  };
};

/** `onSentence`: what is sent early, in its order. */
export const composeAnswer = async (
  reading: AnswerReading,
  request: Request,
  question: Question,
  onSentence: (early: EarlySentence) => void = () => undefined,
): Promise<Either<Problem, Composed>> => {
  const { identity, signal } = request;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant;
  const principal = { tenant: tenant.right, principalId: identity.principalId };
  const query = plainQuery(question.question);
  const found = await retrieve(reading, request, { ...question, query, mode: 'hybrid' });
  if (isLeft(found)) return found;
  const { vector, isDegraded, headers } = found.right;
  const chunks = found.right.chunks.map(({ chunk }) => chunk);
  const material: Material = { tenant: tenant.right, question, chunks, vector, signal };

  const early = openCiter(reading, tenant.right, signal);
  const sendEarly = async (sentence: AnswerSentence): Promise<void> => {
    const passed = await authorizeChunks(reading.source, principal, chunks);
    // The whole answer, which comes later, is made without what was revoked.
    if (isRight(passed) && passed.right.length === chunks.length) onSentence(await early.cite(sentence));
  };

  let draft = await draftOf(reading, material, sendEarly);
  const passed = await authorizeChunks(reading.source, principal, draft.sources);
  if (isLeft(passed)) return left(problemOf(passed.left, {}));
  if (passed.right.length < draft.sources.length) {
    const still = await authorizeChunks(reading.source, principal, chunks);
    if (isLeft(still)) return left(problemOf(still.left, {}));
    const sentences = await extract(reading, { ...material, chunks: still.right });
    draft = { ...draft, sentences, generator: extractive, sources: still.right };
    // Once more: what is revoked while this was embedded.
    const last = await authorizeChunks(reading.source, principal, still.right);
    if (isLeft(last)) return left(problemOf(last.left, {}));
    const ids = new Set(last.right.map(({ chunkId }) => chunkId));
    draft = {
      ...draft,
      sentences: sentences.filter(({ quotes }) => quotes.every(({ chunk }) => ids.has(chunk.chunkId))),
    };
  }

  const citer = openCiter(reading, tenant.right, signal);
  const sentences: AnswerSentenceBody[] = [];
  for (const sentence of draft.sentences) sentences.push((await citer.cite(sentence)).sentence);
  const isAnswered = sentences.length > 0;
  return right({
    body: {
      answer: isAnswered ? joinedText(draft.sentences) : null,
      reason: isAnswered ? null : 'insufficient_evidence',
      sentences,
      citations: citer.citations(),
      generator: draft.generator,
      degraded: [...(isDegraded ? (['semantic'] as const) : []), ...(draft.isModelAway ? (['model'] as const) : [])],
    },
    // A model that failed has read them all the same.
    read: reading.answerModel === undefined ? draft.sources : chunks,
    headers,
  });
};
