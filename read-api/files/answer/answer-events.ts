/** An answer as server-sent events: each sentence when it is ready, then the whole answer, which takes the place of what came before. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Problem } from '../../../infra/server/http/problem';
import type { Answer, ServerSentEvent } from '../../../infra/server/http/routing/route';
import type { AnswerCitation } from './cite';
import type { Composed, EarlySentence } from './compose-answer';

type Compose = (onSentence: (early: EarlySentence) => void) => Promise<Either<Problem, Composed>>;

const sentenceEvent = (early: EarlySentence): ServerSentEvent => ({ event: 'sentence', data: JSON.stringify(early) });
const answerEvent = ({ body }: Composed): ServerSentEvent => ({ event: 'answer', data: JSON.stringify(body) });

/** Of an answer that was not ready before its end: an extract. */
const sentencesOf = ({ body: { sentences, citations } }: Composed): readonly EarlySentence[] => {
  const sent = new Set<number>();
  return sentences.map((sentence) => {
    const added = sentence.citations.filter((index) => !sent.has(index) && sent.add(index));
    return { sentence, added: added.map((index) => citations[index] as AnswerCitation) };
  });
};

async function* eventsOf(compose: Compose): AsyncGenerator<ServerSentEvent, Problem | undefined> {
  const ready: EarlySentence[] = [];
  let sent = 0;
  let wake = (): void => undefined;
  const composing = compose((early) => {
    ready.push(early);
    wake();
  });
  for (;;) {
    for (; sent < ready.length; sent += 1) yield sentenceEvent(ready[sent] as EarlySentence);
    const woken = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined);
    });
    const composed = await Promise.race([composing, woken]);
    if (composed === undefined) continue;
    for (; sent < ready.length; sent += 1) yield sentenceEvent(ready[sent] as EarlySentence);
    if (isLeft(composed)) return composed.left;
    if (sent === 0) for (const sentence of sentencesOf(composed.right)) yield sentenceEvent(sentence);
    yield answerEvent(composed.right);
    return undefined;
  }
}

async function* continued(first: ServerSentEvent, rest: AsyncIterable<ServerSentEvent>) {
  yield first;
  yield* rest;
}

/** Waits for the first event, so that what cannot be answered is answered with its problem. */
export const streamAnswer = async (compose: Compose): Promise<Answer> => {
  const events = eventsOf(compose);
  const first = await events.next();
  if (first.done === true) return first.value ?? { stream: events };
  return { stream: continued(first.value, events) };
};
