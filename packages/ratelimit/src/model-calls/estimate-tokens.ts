/**
 * How many tokens a request brings in, before a model has counted them. No tokenizer: a byte count is the same for everybody, costs a
 * pass over the body, and what it is off by is settled when the answer says what was used.
 */
import { arrayOrEmpty, type JsonObject, maxTokens, objectOrEmpty } from './json-object';

/** What pictures, sound and the like count, where nobody says otherwise. */
export const tokenEstimates = {
  /** Of text, in UTF-8: English is about that, and other languages are rarely more tokens than a third of their bytes. */
  bytesPerToken: 4,
  /** What a message costs besides its text. */
  message: 4,
  /** What the definition of a tool costs besides its text. */
  tool: 8,
  /** In low detail, and the most that a picture comes to in tiles of 512 pixels. */
  smallImage: 85,
  image: 1_445,
  /** Bytes of sound that are a token: ten tokens a second, of 16 bits at 8 kHz or of 32 kbit/s. */
  wavBytesPerToken: 1_600,
  audioBytesPerToken: 400,
  /** A file whose content is elsewhere, and bytes of one that comes along that make a token: most of a document is not text. */
  file: 2_000,
  fileBytesPerToken: 16,
  /** A conversation that is kept elsewhere and gone on with. */
  kept: 4_000,
} as const;

export interface EstimateOptions {
  /** Bytes that make a token, by model; `gpt-*` is what begins so, the longest that fits counts. */
  readonly bytesPerToken?: { readonly [model: string]: number };
}

interface EstimateSum {
  bytes: number;
  tokens: number;
}

/** Members that tell how to answer rather than what: models are not shown them. */
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
  /** What has been counted so; all else of the part is text. */
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

/** No recursion: however deep, it takes no stack. */
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
  if (isStoredConversation(body)) sum.tokens += tokenEstimates.kept;
  for (const [name, value] of Object.entries(body)) if (!fieldsWithoutTokens.has(name)) add(sum, value);
  const text = Math.ceil(sum.bytes / bytesPerTokenOf(body.model, options));
  return Math.min(text + sum.tokens, maxTokens);
};
