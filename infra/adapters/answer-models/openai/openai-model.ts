/** A service that speaks as OpenAI's chat completions do: `POST {url}/chat/completions`. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { AnswerModel } from '../../../ports/files/answer-model';
import type { ModelOptions } from '../model-options';
import { type ModelPiece, openModelService } from '../streaming/model-service';

const Message = t.partial({ content: t.union([t.string, t.null]), refusal: t.union([t.string, t.null]) });
const Completion = t.type({
  choices: t.array(t.partial({ delta: Message, message: Message, finish_reason: t.union([t.string, t.null]) })),
});

/** `length`: the answer was cut; its whole sentences count. */
const stateOf = (reason: string | null | undefined): ModelPiece['state'] => {
  if (reason === 'content_filter') return 'refused';
  return reason === 'stop' || reason === 'length' ? 'ended' : 'going';
};

const readCompletion = (event: unknown): ModelPiece | undefined => {
  const completion = Completion.decode(event);
  const choice = isLeft(completion) ? undefined : completion.right.choices[0];
  if (choice === undefined) return undefined;
  const message = choice.delta ?? choice.message ?? {};
  if (typeof message.refusal === 'string' && message.refusal !== '') return { text: '', state: 'refused' };
  return { text: message.content ?? '', state: stateOf(choice.finish_reason) };
};

export const openOpenAiModel = (options: ModelOptions): AnswerModel => {
  const { model, key, maxTokens, maxSourceCharacters, ...connection } = options;
  const service = openModelService({
    ...connection,
    path: 'chat/completions',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  return {
    name: `openai:${model}`,
    maxSourceCharacters,
    generate: ({ instructions, material }, { signal }) =>
      service.call(
        {
          model,
          stream: true,
          temperature: 0,
          max_tokens: maxTokens,
          messages: [
            { role: 'system', content: instructions },
            { role: 'user', content: material },
          ],
        },
        { readPiece: readCompletion, signal },
      ),
    close: service.close,
  };
};
