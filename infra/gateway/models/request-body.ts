/** Reads what a model is asked, whole: what it weighs must be known before anything of it goes out. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseJson } from '../../http/json';
import { type Problem, problem } from '../../http/problem';

export interface ModelRequestBody {
  readonly bytes: Buffer;
  readonly content: unknown;
}

/** `left`: the caller is gone and waits for no answer. */
export type ModelBodyResult = Either<Problem | 'left', ModelRequestBody>;

/** `over`: when what was read is no longer needed. */
export type ReadModelBody = (request: IncomingMessage, over: Promise<unknown>) => Promise<ModelBodyResult>;

export interface BodyLimits {
  readonly each: number;
  /** Of all that are being read or passed on at once. */
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

/** What is said twice is refused: which of the two counts is for a model service to say, and another one may be counted here. */
const parseContent = (bytes: Buffer): Either<Problem, ModelRequestBody> => {
  const content = parseJson(bytes);
  return isLeft(content) ? left(problem('malformed-body', content.left)) : right({ bytes, content: content.right });
};

const readBody = async (request: IncomingMessage, most: number): Promise<ModelBodyResult> => {
  const bytes = await readBytes(request, most);
  return isLeft(bytes) ? bytes : parseContent(bytes.right);
};

/** Takes from what all may take together; what does not say how long it is may be as long as any. */
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
