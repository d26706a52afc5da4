/** Parses the usage that a response reports, in the formats of OpenAI, compatible providers, and Anthropic. */
import { isJsonObject, type JsonObject, objectOrEmpty, tokenCountOf } from './json-object';
import { toolNameOf } from './model-request';

export interface Usage {
  readonly inputTokens?: number;
  /** Part of the input tokens. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
}

const cachedOf = (usage: JsonObject): number | undefined =>
  tokenCountOf(objectOrEmpty(usage.prompt_tokens_details).cached_tokens) ??
  tokenCountOf(objectOrEmpty(usage.input_tokens_details).cached_tokens) ??
  tokenCountOf(usage.prompt_cache_hit_tokens) ??
  tokenCountOf(usage.cache_read_input_tokens);

/** Anthropic counts cached tokens beside the input; others within it. */
const inputBesideCount = (usage: JsonObject): number =>
  (tokenCountOf(usage.cache_read_input_tokens) ?? 0) + (tokenCountOf(usage.cache_creation_input_tokens) ?? 0);

const inputOf = (usage: JsonObject): number | undefined => {
  const reported = tokenCountOf(usage.prompt_tokens) ?? tokenCountOf(usage.input_tokens);
  return reported === undefined ? undefined : reported + inputBesideCount(usage);
};

const outputOf = (usage: JsonObject): number | undefined => {
  const reported = tokenCountOf(usage.completion_tokens) ?? tokenCountOf(usage.output_tokens);
  if (reported !== undefined) return reported;
  const [total, input] = [tokenCountOf(usage.total_tokens), inputOf(usage)];
  return total === undefined || input === undefined ? undefined : Math.max(0, total - input);
};

const optionalCount = (name: keyof Usage, value: number | undefined): Usage =>
  value === undefined ? {} : { [name]: value };

/** Undefined if nothing is reported. Responses and stream events have it in different places. */
export const parseUsage = (answer: unknown): Usage | undefined => {
  const { usage, response, message } = objectOrEmpty(answer);
  const reported = [usage, objectOrEmpty(response).usage, objectOrEmpty(message).usage].find(isJsonObject);
  if (reported === undefined) return undefined;
  const found = {
    ...optionalCount('inputTokens', inputOf(reported)),
    ...optionalCount('cachedInputTokens', cachedOf(reported)),
    ...optionalCount('outputTokens', outputOf(reported)),
  };
  return Object.keys(found).length === 0 ? undefined : found;
};

const names = ['inputTokens', 'cachedInputTokens', 'outputTokens'] as const;

/** Counts only grow during a response, and some events report only part of them. */
export const mergeUsage = (before: Usage | undefined, after: Usage): Usage => {
  const all = names.map((name) => optionalCount(name, Math.max(before?.[name] ?? -1, after[name] ?? -1)));
  return Object.assign({}, ...all.filter((one) => Object.values(one)[0] !== -1)) as Usage;
};

export type ToolUses = { readonly [tool: string]: number };

/** Uses of tools that the model ran itself, from the items of a response; undefined if it has no items (yet). */
export const parseToolUses = (answer: unknown): ToolUses | undefined => {
  const { output, response } = objectOrEmpty(answer);
  const items = output ?? objectOrEmpty(response).output;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const tools = new Map<string, number>();
  for (const item of items) {
    const [, type] = /^(.+)_call$/.exec(String(objectOrEmpty(item).type)) ?? [];
    const tool = toolNameOf(type);
    if (tool !== undefined) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  }
  return Object.fromEntries(tools);
};
