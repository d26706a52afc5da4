/** What an answer says it used, in the words of OpenAI's interfaces, of those that follow them, and of Anthropic's. */
import { isMembers, type Members, membersOf, wholeOf } from './members';
import { toolNamed } from './request';

export interface Usage {
  readonly inputTokens?: number;
  /** Of them. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
}

const cachedOf = (usage: Members): number | undefined =>
  wholeOf(membersOf(usage.prompt_tokens_details).cached_tokens) ??
  wholeOf(membersOf(usage.input_tokens_details).cached_tokens) ??
  wholeOf(usage.prompt_cache_hit_tokens) ??
  wholeOf(usage.cache_read_input_tokens);

/** Anthropic counts what its cache held and took beside the rest; others within it. */
const besideInput = (usage: Members): number =>
  (wholeOf(usage.cache_read_input_tokens) ?? 0) + (wholeOf(usage.cache_creation_input_tokens) ?? 0);

const inputOf = (usage: Members): number | undefined => {
  const said = wholeOf(usage.prompt_tokens) ?? wholeOf(usage.input_tokens);
  return said === undefined ? undefined : said + besideInput(usage);
};

const outputOf = (usage: Members): number | undefined => {
  const said = wholeOf(usage.completion_tokens) ?? wholeOf(usage.output_tokens);
  if (said !== undefined) return said;
  const [total, input] = [wholeOf(usage.total_tokens), inputOf(usage)];
  return total === undefined || input === undefined ? undefined : Math.max(0, total - input);
};

const known = (name: keyof Usage, value: number | undefined): Usage => (value === undefined ? {} : { [name]: value });

/** Undefined where it says nothing of it: answers and events of streams have it in different places. */
export const usageIn = (answer: unknown): Usage | undefined => {
  const { usage, response, message } = membersOf(answer);
  const said = [usage, membersOf(response).usage, membersOf(message).usage].find(isMembers);
  if (said === undefined) return undefined;
  const found = {
    ...known('inputTokens', inputOf(said)),
    ...known('cachedInputTokens', cachedOf(said)),
    ...known('outputTokens', outputOf(said)),
  };
  return Object.keys(found).length === 0 ? undefined : found;
};

const names = ['inputTokens', 'cachedInputTokens', 'outputTokens'] as const;

/** Counts only grow while an answer goes on, and not every event tells all of them. */
export const grown = (before: Usage | undefined, after: Usage): Usage => {
  const all = names.map((name) => known(name, Math.max(before?.[name] ?? -1, after[name] ?? -1)));
  return Object.assign({}, ...all.filter((one) => Object.values(one)[0] !== -1)) as Usage;
};

export type Tools = { readonly [tool: string]: number };

/** Tools that the model used by itself, as the items of an answer tell; undefined where it has none (yet) that could. */
export const toolsIn = (answer: unknown): Tools | undefined => {
  const { output, response } = membersOf(answer);
  const items = output ?? membersOf(response).output;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const tools = new Map<string, number>();
  for (const item of items) {
    const [, type] = /^(.+)_call$/.exec(String(membersOf(item).type)) ?? [];
    const tool = toolNamed(type);
    if (tool !== undefined) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  }
  return Object.fromEntries(tools);
};
