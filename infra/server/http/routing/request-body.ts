/** Reads a request's body within limits and parses it by the route's type. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../problem';
import { decodeUtf8, parseJson, type TooDeep } from '../untrusted-json';
import { parseFormUrlencoded } from './form-urlencoded';

export const maxBodyBytes = 1_048_576;

const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;
export type BodyType = keyof typeof types;

const typeShape = /^([^\s;]+)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

const unsupported = (request: IncomingMessage, expected: BodyType): Problem | undefined => {
  const [, type] = typeShape.exec(request.headers['content-type'] ?? '') ?? [];
  if (type?.toLowerCase() !== types[expected])
    return problem('unsupported-media-type', `Send the body as ${types[expected]}, in UTF-8.`);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  return encoding === 'identity'
    ? undefined
    : problem('unsupported-media-type', 'Send the body without a content encoding.');
};

const tooLarge: Problem = {
  ...problem('body-too-large', `The body may hold at most ${maxBodyBytes} bytes.`),
  // What is still to come is not read.
  headers: { Connection: 'close' },
};

/** Undefined when the client went away before the end. */
const bytesOf = async (request: IncomingMessage): Promise<Either<Problem, Buffer> | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return left(tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop early must not destroy the socket that the refusal goes out on.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes) return left(tooLarge);
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return right(Buffer.concat(chunks, size));
};

const parseForm = (bytes: Uint8Array): Either<string, unknown> => {
  const content = decodeUtf8(bytes);
  return content === undefined ? left('The body is not UTF-8.') : parseFormUrlencoded(content);
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** An absent body is undefined, which codecs refuse in their own words. */
export const readBody = async (
  request: IncomingMessage,
  type: BodyType,
  tooDeep: TooDeep = 'refused',
): Promise<Either<Problem, unknown>> => {
  if (!hasBody(request)) return right(undefined);
  const refused = unsupported(request, type);
  if (refused !== undefined) return left(refused);
  const bytes = await bytesOf(request);
  if (bytes === undefined) return left(problem('malformed-body', 'The body ended before it was complete.'));
  if (isLeft(bytes)) return bytes;
  const parsed = type === 'json' ? parseJson(bytes.right, tooDeep) : parseForm(bytes.right);
  return isLeft(parsed) ? left(problem('malformed-body', parsed.left)) : parsed;
};
