/** What a request to a model weighs, as far as it can be known before it is answered. */
import type { Weight } from '../decision/decision';
import { type EstimateOptions, estimateInput } from './estimate-tokens';
import { arrayOrEmpty, isJsonObject, type JsonObject, maxTokens, objectOrEmpty, tokenCountOf } from './json-object';

/** OpenAI's, which others speak, too. */
export type ModelApi = 'chat' | 'responses' | 'completions' | 'embeddings';

export interface ModelRequest {
  /** Undefined where none is named, or not by a name. */
  readonly model: string | undefined;
  readonly streams: boolean;
  readonly weight: Weight;
}

const maxModelLength = 256;

/** Of several names for it the largest counts, as it is not known which one the model goes by. */
const maxOutputOf = (body: JsonObject): number | undefined => {
  const named = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens].map(tokenCountOf);
  const known = named.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** A list of prompts is answered one by one; a list of numbers is one prompt. */
const promptsOf = (prompt: unknown): number =>
  Math.max(1, arrayOrEmpty(prompt).filter((item) => typeof item === 'string' || Array.isArray(item)).length);

const answersOf = (api: ModelApi, body: JsonObject): number => {
  const each = Math.max(1, tokenCountOf(body.n) ?? 1, tokenCountOf(body.best_of) ?? 1);
  return api === 'completions' ? each * promptsOf(body.prompt) : each;
};

const outputOf = (api: ModelApi, body: JsonObject): Weight => {
  if (api === 'embeddings') return { outputTokens: 0 };
  const [maxOutput, answers] = [maxOutputOf(body), Math.min(answersOf(api, body), maxTokens)];
  if (maxOutput !== undefined) return { outputTokens: Math.min(maxOutput * answers, maxTokens) };
  return answers === 1 ? {} : { answers };
};

const toolShape = /^[a-z][a-z0-9_]{0,47}$/;
const maxTools = 32;
const clientTools = new Set(['function', 'custom', 'custom_tool']);

/** `web_search_preview_2025_03_11` is `web_search`; what the caller runs itself is none. */
export const toolNameOf = (type: unknown): string | undefined => {
  if (typeof type !== 'string' || !toolShape.test(type)) return undefined;
  const name = type.replace(/(_preview)?(_\d+)*$/, '');
  return clientTools.has(name) ? undefined : name;
};

/** Each tool that the model may use by itself, once: how often it did is known when it answers. */
const toolsOf = (body: JsonObject): Weight => {
  const searching = body.web_search_options === undefined ? [] : ['web_search'];
  const named = arrayOrEmpty(body.tools)
    .slice(0, maxTools)
    .map((tool) => toolNameOf(objectOrEmpty(tool).type));
  const tools = [...searching, ...named.filter((name) => name !== undefined)];
  return tools.length === 0 ? {} : { tools: Object.fromEntries(tools.map((name) => [name, 1])) };
};

const modelOf = ({ model }: JsonObject): string | undefined =>
  typeof model === 'string' && model !== '' && model.length <= maxModelLength ? model : undefined;

/** Undefined where it is no request at all. */
export const readModelRequest = (
  api: ModelApi,
  body: unknown,
  options: EstimateOptions = {},
): ModelRequest | undefined => {
  if (!isJsonObject(body)) return undefined;
  const inputTokens = estimateInput(body, options);
  const weight = { requests: 1, inputTokens, ...outputOf(api, body), ...toolsOf(body) };
  return { model: modelOf(body), streams: body.stream === true, weight };
};
