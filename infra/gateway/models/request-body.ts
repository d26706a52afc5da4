/** Reads model requests completely: their weight must be known before they are forwarded. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Problem, problem } from '../../server/http/problem';
import { sendContinue } from '../../server/http/server/expect-continue';
import { parseJson } from '../../server/http/untrusted-json';

export interface ModelRequestBody {
  readonly bytes: Buffer;
  readonly content: unknown;
}

/** `left`: the client disconnected. */
export type ModelBodyResult = Either<Problem | 'left', ModelRequestBody>;

/** `over`: resolves when the body is no longer needed. */
export type ReadModelBody = (request: IncomingMessage, over: Promise<unknown>) => Promise<ModelBodyResult>;

export interface BodyLimits {
  readonly each: number;
  /** Total of all bodies in memory. */
  readonly together: number;
}

const jsonShape = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const checkContentType = ({ headers }: IncomingMessage): Problem | undefined => {
  if (!jsonShape.test(headers['content-type'] ?? ''))
    return problem('unsupported-media-type', 'Send the body as application/json, in UTF-8.');
  return (headers['content-encoding'] ?? 'identity') === 'identity'
    ? undefined
    : problem('unsupported-media-type', 'Send the body without a content encoding.');
};

const bodyTooLarge = (most: number): Problem => problem('body-too-large', `The body may hold at most ${most} bytes.`);

const readBytes = async (request: IncomingMessage, most: number): Promise<Either<Problem | 'left', Buffer>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  sendContinue(request);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) return left(bodyTooLarge(most));
      chunks.push(chunk);
    }
  } catch {
    return left('left');
  }
  return right(Buffer.concat(chunks, size));
};

/** Rejects duplicate members: the model service could read the other one. */
const parseContent = (bytes: Buffer): Either<Problem, ModelRequestBody> => {
  const content = parseJson(bytes);
  return isLeft(content) ? left(problem('malformed-body', content.left)) : right({ bytes, content: content.right });
};

const readBody = async (request: IncomingMessage, most: number): Promise<ModelBodyResult> => {
  const bytes = await readBytes(request, most);
  return isLeft(bytes) ? bytes : parseContent(bytes.right);
};

/** Reserves from the shared budget; a body of unknown length reserves the maximum. */
export const createModelBodyReader = ({ each, together }: BodyLimits): ReadModelBody => {
  let taken = 0;
  return async (request, over) => {
    const refused = checkContentType(request);
    if (refused !== undefined) return left(refused);
    const length = Number(request.headers['content-length'] ?? each);
    if (!(length <= each)) return left(bodyTooLarge(each));
    if (taken + length > together)
      return left(problem('service-unavailable', 'Too much is being sent to models at once; try again.'));
    taken += length;
    void over.finally(() => {
      taken -= length;
    });
    return readBody(request, each);
  };
};
