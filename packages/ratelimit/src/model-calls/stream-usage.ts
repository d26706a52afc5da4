/** Usage of a streamed response so far: as reported, else estimated from its bytes. */
import { tokenEstimates } from './estimate-tokens';
import { arrayOrEmpty, type JsonObject, objectOrEmpty } from './json-object';
import { mergeUsage, parseToolUses, parseUsage, type ToolUses, type Usage } from './parse-usage';
import { createSseDataReader } from './sse-data';

export interface StreamUsage {
  readonly add: (bytes: Uint8Array) => void;
  readonly end: () => void;
  readonly usage: () => Usage | undefined;
  /** Output tokens estimated from bytes. */
  readonly produced: () => number;
  /** Undefined if not reported. */
  readonly tools: () => ToolUses | undefined;
  /** Whether the stream reported a failure. */
  readonly failed: () => boolean;
}

/** Roles, ids and names are not written by the model. */
const fieldsWithoutOutput = new Set([
  'role',
  'id',
  'type',
  'index',
  'name',
  'finish_reason',
  'item_id',
  'call_id',
  'signature',
]);

const writtenBytes = (delta: unknown): number => {
  const pending: unknown[] = [delta];
  let bytes = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else
      for (const [name, member] of Object.entries(objectOrEmpty(value)))
        if (!fieldsWithoutOutput.has(name)) pending.push(member);
  }
  return bytes;
};

/** The Responses API and Anthropic name their events; other APIs use choices. */
const eventBytes = ({ type, delta, choices }: JsonObject): number => {
  if (typeof type === 'string') return type.endsWith('delta') ? writtenBytes(delta) : 0;
  const written = arrayOrEmpty(choices).map(objectOrEmpty);
  return written.reduce((sum, choice) => sum + writtenBytes(choice.delta) + writtenBytes(choice.text), 0);
};

const failures = new Set(['error', 'response.failed']);

export const createStreamUsage = (bytesPerToken: number = tokenEstimates.bytesPerToken): StreamUsage => {
  let usage: Usage | undefined;
  let bytes = 0;
  let failed = false;
  let tools: ToolUses | undefined;
  const reader = createSseDataReader((data) => {
    const event = objectOrEmpty(data);
    bytes += eventBytes(event);
    failed ||= failures.has(String(event.type)) || (event.error ?? null) !== null;
    const reported = parseUsage(event);
    if (reported !== undefined) usage = mergeUsage(usage, reported);
    if (arrayOrEmpty(objectOrEmpty(event.response).output).length > 0) tools = parseToolUses(event);
  });
  return {
    ...reader,
    usage: () => usage,
    produced: () => Math.ceil(bytes / bytesPerToken),
    tools: () => tools,
    failed: () => failed,
  };
};
