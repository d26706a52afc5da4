/** Reads a response and checks its size, content type and form. */
import { type ErrorContext, UnexpectedAnswerError, type UnexpectedReason } from '../errors';
import { findMismatch, type Shape } from '../shape';
import { retryAfterSeconds } from './retry-policy';

/** A response, or its substitute for a message of a WebSocket. */
export interface ResponseContext {
  readonly response: Pick<Response, 'status' | 'headers'>;
  readonly context: ErrorContext;
}

export interface RawResponse extends ResponseContext {
  readonly response: Response;
}

export const createUnexpectedError = (
  { response, context }: ResponseContext,
  reason: UnexpectedReason,
  detail: string,
) =>
  new UnexpectedAnswerError(
    { reason, status: response.status, detail, retryAfterSeconds: retryAfterSeconds(response.headers) },
    context,
  );

const tooLarge = (raw: RawResponse, limit: number) =>
  createUnexpectedError(raw, 'too-large', `The answer has more than ${limit} bytes.`);

/** Cancels the rest of the body. */
export const discardBody = ({ body }: Response): void => {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined);
};

const concatenate = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

const readBytes = async (raw: RawResponse, limit: number): Promise<Uint8Array> => {
  const { body, headers } = raw.response;
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(raw, limit);
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size <= limit) continue;
    reader.cancel().catch(() => undefined);
    throw tooLarge(raw, limit);
  }
  return concatenate(chunks, size);
};
const readText = async (raw: RawResponse, limit: number): Promise<string> => {
  const bytes = await readBytes(raw, limit).catch((error: unknown) => {
    discardBody(raw.response);
    throw error;
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw createUnexpectedError(raw, 'not-utf-8', 'The answer is not UTF-8.');
  }
};

const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (response: Response): boolean => /^application\/(?:[\w.-]+\+)?json$/.test(mediaType(response));

export const isEventStream = (response: Response): boolean => mediaType(response) === 'text/event-stream';

/** `__proto__` as a key would become an object's prototype when the object is copied carelessly. */
const withoutPrototype = (_key: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    Reflect.deleteProperty(value, '__proto__');
  return value;
};

export const parseJson = (text: string): unknown =>
  /__proto__|\\u00/i.test(text) ? JSON.parse(text, withoutPrototype) : JSON.parse(text);

/** Reads the body as JSON. */
export const readJson = async (raw: RawResponse, limit: number): Promise<unknown> => {
  if (!isJson(raw.response)) {
    discardBody(raw.response);
    const type = mediaType(raw.response) || 'no type';
    throw createUnexpectedError(
      raw,
      'content-type',
      `Status ${raw.response.status} came with ${type.slice(0, 64)}, not JSON.`,
    );
  }
  const text = await readText(raw, limit);
  try {
    return parseJson(text);
  } catch {
    throw createUnexpectedError(raw, 'not-json', `Status ${raw.response.status} came with a body that is not JSON.`);
  }
};

/** Returns the content if it has the shape, else throws. */
export const checkShape = (shape: Shape, content: unknown, response: ResponseContext): unknown => {
  const mismatch = findMismatch(shape, content);
  if (mismatch === undefined) return content;
  throw createUnexpectedError(
    response,
    'wrong-form',
    `At ${mismatch.pointer || 'the top'}, ${mismatch.expected} was expected.`,
  );
};
