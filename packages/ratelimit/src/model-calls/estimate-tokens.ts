/**
 * Estimates a request's input tokens before a model counts them, from bytes and without a tokenizer: one pass over the
 * body, the same for every model. The error is settled when the response reports its usage.
 */
import { arrayOrEmpty, type JsonObject, maxTokens, objectOrEmpty } from './json-object';

/** Default estimates for text, images, audio and files. */
export const tokenEstimates = {
  /**
   * UTF-8 bytes per token of text: about 4 in English; other languages rarely have more tokens than a third of their
   * bytes.
   */
  bytesPerToken: 4,
  /** Overhead of a message. */
  message: 4,
  /** Overhead of a tool definition. */
  tool: 8,
  /** An image in low detail, and the maximum in tiles of 512 pixels. */
  smallImage: 85,
  image: 1_445,
  /** Audio bytes per token: ten tokens a second, of 16 bits at 8 kHz or 32 kbit/s. */
  wavBytesPerToken: 1_600,
  audioBytesPerToken: 400,
  /** A file by reference, and bytes per token of an inline one: most of a document is not text. */
  file: 2_000,
  fileBytesPerToken: 16,
  /** A conversation stored by the provider and continued. */
  storedConversation: 4_000,
} as const;

export interface EstimateOptions {
  /** Bytes per token by model; `gpt-*` matches a prefix, and the longest match wins. */
  readonly bytesPerToken?: { readonly [model: string]: number };
}

interface EstimateSum {
  bytes: number;
  tokens: number;
}

/** Members that configure the answer and are not part of the prompt. */
const fieldsWithoutTokens = new Set(
  [
    'model user metadata stop seed store stream stream_options n best_of max_tokens max_completion_tokens max_output_tokens',
    'temperature top_p top_k logprobs top_logprobs frequency_penalty presence_penalty logit_bias service_tier modalities',
    'safety_identifier prompt_cache_key prompt_cache_retention include reasoning_effort reasoning truncation verbosity',
    'encoding_format dimensions tool_choice parallel_tool_calls background max_tool_calls echo',
  ].flatMap((line) => line.split(' ')),
);

const base64Bytes = (value: unknown): number => (typeof value === 'string' ? Math.floor((value.length * 3) / 4) : 0);

const imageTokens = (part: JsonObject): number => {
  const detail = objectOrEmpty(part.image_url).detail ?? part.detail;
  return detail === 'low' ? tokenEstimates.smallImage : tokenEstimates.image;
};

const audioTokens = (part: JsonObject): number => {
  const { data, format } = objectOrEmpty(part.input_audio);
  const each = format === 'wav' ? tokenEstimates.wavBytesPerToken : tokenEstimates.audioBytesPerToken;
  return Math.ceil(base64Bytes(data) / each);
};

const fileTokens = (part: JsonObject): number => {
  const data = objectOrEmpty(part.file).file_data ?? part.file_data;
  return Math.max(tokenEstimates.file, Math.ceil(base64Bytes(data) / tokenEstimates.fileBytesPerToken));
};

interface PartKind {
  readonly tokens: (part: JsonObject) => number;
  /** Members counted by this kind; the rest of the part is text. */
  readonly counted: readonly string[];
}

const image: PartKind = { tokens: imageTokens, counted: ['image_url', 'source', 'file_id'] };
const file: PartKind = { tokens: fileTokens, counted: ['file', 'file_data', 'file_id', 'file_url', 'source'] };
const partKinds: ReadonlyMap<unknown, PartKind> = new Map([
  ['image_url', image],
  ['input_image', image],
  ['image', image],
  ['input_audio', { tokens: audioTokens, counted: ['input_audio'] }],
  ['file', file],
  ['input_file', file],
  ['document', file],
]);

const addMembers = (sum: EstimateSum, pending: unknown[], value: JsonObject): void => {
  if (value.role !== undefined) sum.tokens += tokenEstimates.message;
  const kind = partKinds.get(value.type);
  if (kind !== undefined) sum.tokens += kind.tokens(value);
  for (const [name, member] of Object.entries(value)) {
    if (kind?.counted.includes(name) === true) continue;
    sum.bytes += Buffer.byteLength(name);
    pending.push(member);
  }
};

/** Iterative, so that depth cannot overflow the stack. */
const add = (sum: EstimateSum, content: unknown): void => {
  const pending: unknown[] = [content];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') sum.bytes += Buffer.byteLength(value);
    // In prompts numbers are tokens already.
    else if (typeof value === 'number') sum.tokens += 1;
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null) addMembers(sum, pending, value as JsonObject);
  }
};

const matchesModel = (pattern: string, model: string): boolean =>
  pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;

export const bytesPerTokenOf = (model: unknown, { bytesPerToken = {} }: EstimateOptions): number => {
  const name = typeof model === 'string' ? model : '';
  const fitting = Object.keys(bytesPerToken).filter((pattern) => matchesModel(pattern, name));
  const [longestPattern] = fitting.sort((one, other) => other.length - one.length);
  return (longestPattern === undefined ? undefined : bytesPerToken[longestPattern]) ?? tokenEstimates.bytesPerToken;
};

const isStoredConversation = ({ previous_response_id: previous, conversation, prompt }: JsonObject): boolean =>
  typeof previous === 'string' || (conversation ?? null) !== null || objectOrEmpty(prompt).id !== undefined;

export const estimateInput = (body: JsonObject, options: EstimateOptions = {}): number => {
  const sum: EstimateSum = { bytes: 0, tokens: arrayOrEmpty(body.tools).length * tokenEstimates.tool };
  if (isStoredConversation(body)) sum.tokens += tokenEstimates.storedConversation;
  for (const [name, value] of Object.entries(body)) if (!fieldsWithoutTokens.has(name)) add(sum, value);
  const text = Math.ceil(sum.bytes / bytesPerTokenOf(body.model, options));
  return Math.min(text + sum.tokens, maxTokens);
};
