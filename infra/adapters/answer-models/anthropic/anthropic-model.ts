/** A service that speaks as Anthropic's messages do: `POST {url}/messages`. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { AnswerModel } from '../../../ports/files/answer-model';
import type { ModelOptions } from '../model-options';
import { type ModelPiece, openModelService } from '../streaming/model-service';

/** The version of the interface that this speaks. */
const version = '2023-06-01';

const StopReason = t.union([t.string, t.null, t.undefined]);
const Delta = t.type({ type: t.literal('content_block_delta'), delta: t.partial({ type: t.string, text: t.string }) });
const MessageDelta = t.type({ type: t.literal('message_delta'), delta: t.partial({ stop_reason: StopReason }) });
const Failure = t.type({ type: t.literal('error') });
const Message = t.type({
  type: t.literal('message'),
  content: t.array(t.partial({ type: t.string, text: t.string })),
  stop_reason: StopReason,
});

/** `max_tokens`: the answer was cut; its whole sentences count. */
const stateOf = (reason: string | null | undefined): ModelPiece['state'] => {
  if (reason === 'refusal') return 'refused';
  return reason === 'end_turn' || reason === 'stop_sequence' || reason === 'max_tokens' ? 'ended' : 'going';
};

/** The answer has ended where a `message_delta` names the reason; an `error` instead of it ends the stream without. */
const readMessage = (event: unknown): ModelPiece | undefined => {
  const delta = Delta.decode(event);
  if (!isLeft(delta)) return { text: delta.right.delta.text ?? '', state: 'going' };
  const end = MessageDelta.decode(event);
  if (!isLeft(end)) return { text: '', state: stateOf(end.right.delta.stop_reason) };
  if (Failure.is(event)) return undefined;
  const whole = Message.decode(event);
  if (isLeft(whole)) return undefined;
  const text = whole.right.content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return { text, state: stateOf(whole.right.stop_reason) };
};

export const openAnthropicModel = (options: ModelOptions): AnswerModel => {
  const { model, key, maxTokens, maxSourceCharacters, ...connection } = options;
  const service = openModelService({
    ...connection,
    path: 'messages',
    headers: { 'anthropic-version': version, ...(key === undefined ? {} : { 'x-api-key': key }) },
  });
  return {
    name: `anthropic:${model}`,
    maxSourceCharacters,
    generate: ({ instructions, material }, { signal }) =>
      service.call(
        {
          model,
          stream: true,
          temperature: 0,
          max_tokens: maxTokens,
          system: instructions,
          messages: [{ role: 'user', content: material }],
        },
        { readPiece: readMessage, signal },
      ),
    close: service.close,
  };
};
