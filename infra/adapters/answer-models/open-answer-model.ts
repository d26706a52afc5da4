/** The model that writes answers, as the configuration names it; without one, answers are extracts. */
import { type Either, left, right } from 'fp-ts/Either';
import type { AnswerModel } from '../../ports/files/answer-model';
import {
  anyText,
  type ConfigOf,
  httpUrl,
  oneOfWords,
  optional,
  wholeNumber,
  withDefault,
} from '../../server/runtime/config';

export const answerModelVariables = {
  /** `extractive`: sentences as they stand in the files, without a model. */
  ANSWERS: withDefault(oneOfWords('extractive', 'openai', 'anthropic'), 'extractive'),
  /** Of a service that speaks as OpenAI's or Anthropic's does, up to `/v1`. */
  ANSWERS_URL: optional(httpUrl),
  ANSWERS_MODEL: optional(anyText),
  ANSWERS_KEY: optional(anyText),
  /** Of passages in one request. */
  ANSWERS_MAX_CHARACTERS: withDefault(wholeNumber(1_000, 400_000), 24_000),
  /** Of one answer. */
  ANSWERS_MAX_TOKENS: withDefault(wholeNumber(16, 8_192), 600),
  /** Requests at once, for one tenant. */
  ANSWERS_CALLS_PER_TENANT: withDefault(wholeNumber(1, 1_000), 4),
};

type AnswerModelConfig = ConfigOf<typeof answerModelVariables>;

/** Right with undefined: no model is wanted. Left: what the configuration lacks, in a sentence. */
export const openAnswerModel = (config: AnswerModelConfig): Either<string, AnswerModel | undefined> => {
  const { ANSWERS: kind, ANSWERS_URL: url, ANSWERS_MODEL: model } = config;
  if (kind === 'extractive') return right(undefined);
  if (url === undefined || model === undefined)
    return left(`ANSWERS=${kind} needs ANSWERS_URL and ANSWERS_MODEL; answers are extracts until then.`);
  const options = {
    url,
    model,
    key: config.ANSWERS_KEY,
    maxTokens: config.ANSWERS_MAX_TOKENS,
    maxSourceCharacters: config.ANSWERS_MAX_CHARACTERS,
  };
  if (kind === 'openai') {
    const { openOpenAiModel } = require('./openai/openai-model') as typeof import('./openai/openai-model');
    return right(openOpenAiModel(options));
  }
  const { openAnthropicModel } = require('./anthropic/anthropic-model') as typeof import('./anthropic/anthropic-model');
  return right(openAnthropicModel(options));
};
