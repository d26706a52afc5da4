/** The weight of a request to a model, as far as it is known before the response. */
import type { Weight } from '../decision/decision';
import { type EstimateOptions, estimateInput } from './estimate-tokens';
import { arrayOrEmpty, isJsonObject, type JsonObject, maxTokens, objectOrEmpty, tokenCountOf } from './json-object';

/** OpenAI's APIs, which other providers offer, too. */
export type ModelApi = 'chat' | 'responses' | 'completions' | 'embeddings';

export interface ModelRequest {
  /** Undefined if the body names no valid model. */
  readonly model: string | undefined;
  readonly streams: boolean;
  readonly weight: Weight;
}

const maxModelLength = 256;

/** Takes the largest of the alternative members, because it is unknown which one the model reads. */
const maxOutputOf = (body: JsonObject): number | undefined => {
  const named = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens].map(tokenCountOf);
  const known = named.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** A list of prompts gets one answer each; a list of numbers is one prompt. */
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

/** `web_search_preview_2025_03_11` becomes `web_search`; undefined for tools that the client runs itself. */
export const toolNameOf = (type: unknown): string | undefined => {
  if (typeof type !== 'string' || !toolShape.test(type)) return undefined;
  const name = type.replace(/(_preview)?(_\d+)*$/, '');
  return clientTools.has(name) ? undefined : name;
};

/** Counts each tool that the model runs itself once; the response reports the actual uses. */
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

/** Undefined if the body is not an object. */
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
