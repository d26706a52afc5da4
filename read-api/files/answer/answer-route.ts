/** POST /v1/retrieval/answer: a question is answered from files that the caller may see, each sentence with where it is from. */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { commonProblems, type Problem, problem } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { indexQueryProblems } from '../../kernel/index-queries';
import { minPosition } from '../../kernel/query-routes';
import { scopes } from '../file-reading';
import { questionText, scopeFields } from '../search/search-route';
import { streamAnswer } from './answer-events';
import { AnswerCitation, AnswerSentenceBody } from './cite';
import { type AnswerReading, type Composed, composeAnswer, type EarlySentence, type Question } from './compose-answer';

const AnswerQuery = record(
  'AnswerQuery',
  {
    question: text('QuestionText', {
      content: 'lines',
      maxLength: 4_000,
      expected: questionText,
      examples: ['What is the notice period?'],
    }),
  },
  {
    /** Everything that the caller may see, where it names nothing. What the caller may not see adds nothing. */
    scope: record(
      'AnswerScope',
      {},
      {
        /** The caller's own tenant; another one is answered 404. */
        workspaceId: TenantId,
        ...scopeFields,
      },
    ),
    /** How many passages the answer is made from; 10, if left out. */
    topK: integer(1, 100),
    /** Leaves out sentences without a citation; true, if left out. */
    requireCitations: t.boolean,
  },
);
type AnswerQuery = t.TypeOf<typeof AnswerQuery>;

const RetrievalResponse = record('GeneratedAnswer', {
  /** The sentences joined; null: the files do not hold an answer. */
  answer: nullable(text('AnswerText', { content: 'any', maxLength: 60_000 })),
  reason: nullable(oneOf('NoAnswerReason', ['insufficient_evidence'])),
  sentences: t.readonlyArray(AnswerSentenceBody, 'AnswerSentences'),
  citations: t.readonlyArray(AnswerCitation, 'AnswerCitations'),
  /** `extractive`: sentences as they stand in the files; else the model that wrote them. */
  generator: text('AnswerGenerator', { maxLength: 200, examples: ['extractive'] }),
  /** `semantic`: some or all of what was searched could be found by its words only. `model`: the model did not answer. */
  degraded: listOf('DegradedAnswer', oneOf('DegradedPart', ['semantic', 'model']), 2),
});

const questionOf = ({ question, scope = {}, topK = 10, requireCitations = true }: AnswerQuery): Question => ({
  question,
  scope,
  topK,
  requireCitations,
});

type Request = RouteRequest<unknown, unknown, AnswerQuery>;

const auditAnswer = (reading: AnswerReading, request: Request, { topK }: Question, { body, read }: Composed): void =>
  reading.audit(request, {
    operation: 'answer',
    mode: 'hybrid',
    topK,
    chunkIds: [...read, ...body.citations].map(({ chunkId }) => chunkId),
    degraded: body.degraded,
    generator: body.generator,
  });

const wantsEvents = ({ headers: { accept = '' } }: Pick<Request, 'headers'>): boolean =>
  accept.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === 'text/event-stream');

const answer = async (reading: AnswerReading, request: Request): Promise<Answer> => {
  const { body, identity } = request;
  const { workspaceId = identity.tenantId } = body.scope ?? {};
  if (workspaceId !== identity.tenantId) return problem('not-found', 'There is no such workspace.');
  const question = questionOf(body);
  const compose = async (onSentence?: (early: EarlySentence) => void): Promise<Either<Problem, Composed>> => {
    const composed = await composeAnswer(reading, request, question, onSentence);
    if (!isLeft(composed)) auditAnswer(reading, request, question, composed.right);
    return composed;
  };
  if (wantsEvents(request)) return streamAnswer(compose);
  const composed = await compose();
  if (isLeft(composed)) return composed.left;
  return { status: 200, body: composed.right.body, headers: composed.right.headers };
};

export const answerQuestion = route<AnswerReading>()({
  method: 'post',
  path: '/v1/retrieval/answer',
  operation: 'answerQuestion',
  summary: 'Answer a question from files',
  description:
    'Searches the files that the caller may see and answers from them only. Each sentence names its citations, and each citation has the quote and where it stands: page and boxes, rows, lines, paragraphs, time. Where the files hold no answer, `answer` is null and `reason` is `insufficient_evidence`. `generator` is `extractive`, sentences as they stand in the files, or a model that the installation is connected to, whose sentences are checked against what it was sent. With `Accept: text/event-stream` the same comes as server-sent events: `sentence` (`sentence`, and `added`, the citations that are appended to the list) as each is ready, then `answer` with the whole, which takes the place of all before it.',
  access: { scopes },
  question: true,
  sensitive: false,
  body: AnswerQuery,
  headers: [minPosition, { name: 'Accept', description: '`text/event-stream`: sentences as they are ready.' }],
  answers: {
    200: { description: 'The answer, or why there is none.', body: RetrievalResponse, headers: ['Position'] },
  },
  problems: {
    ...indexQueryProblems,
    'not-found': commonProblems['not-found'],
    'event-store-unavailable': commonProblems['event-store-unavailable'],
  },
  handle: answer,
});
