/** What a streamed answer has come to so far: as it says itself, or else by the bytes of what it brought. */
import { estimates } from './estimate';
import { events } from './events';
import { itemsOf, type Members, membersOf } from './members';
import { grown, type Tools, toolsIn, type Usage, usageIn } from './usage';

export interface StreamUsage {
  readonly add: (bytes: Uint8Array) => void;
  readonly end: () => void;
  readonly usage: () => Usage | undefined;
  /** By its bytes. */
  readonly produced: () => number;
  /** Undefined where it does not say. */
  readonly tools: () => Tools | undefined;
  /** It said that it failed. */
  readonly failed: () => boolean;
}

/** Who speaks, and which call of a tool it is about, is not what the model wrote. */
const notWritten = new Set(['role', 'id', 'type', 'index', 'name', 'finish_reason', 'item_id', 'call_id', 'signature']);

const writtenBytes = (delta: unknown): number => {
  const waiting: unknown[] = [delta];
  let bytes = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else for (const [name, member] of Object.entries(membersOf(value))) if (!notWritten.has(name)) waiting.push(member);
  }
  return bytes;
};

/** Responses and Anthropic's name their events; others put what was written into choices. */
const eventBytes = ({ type, delta, choices }: Members): number => {
  if (typeof type === 'string') return type.endsWith('delta') ? writtenBytes(delta) : 0;
  const written = itemsOf(choices).map(membersOf);
  return written.reduce((sum, choice) => sum + writtenBytes(choice.delta) + writtenBytes(choice.text), 0);
};

const failures = new Set(['error', 'response.failed']);

export const streamUsage = (bytesPerToken: number = estimates.bytesPerToken): StreamUsage => {
  let usage: Usage | undefined;
  let bytes = 0;
  let failed = false;
  let tools: Tools | undefined;
  const passing = events((data) => {
    const event = membersOf(data);
    bytes += eventBytes(event);
    failed ||= failures.has(String(event.type)) || (event.error ?? null) !== null;
    const said = usageIn(event);
    if (said !== undefined) usage = grown(usage, said);
    if (itemsOf(membersOf(event.response).output).length > 0) tools = toolsIn(event);
  });
  return {
    ...passing,
    usage: () => usage,
    produced: () => Math.ceil(bytes / bytesPerToken),
    tools: () => tools,
    failed: () => failed,
  };
};
