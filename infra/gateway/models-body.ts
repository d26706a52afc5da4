/** Reads what a model is asked, whole: what it weighs must be known before anything of it goes out. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseJson } from '../http/json';
import { type Problem, problem } from '../http/problem';

export interface ModelsBody {
  readonly bytes: Buffer;
  readonly content: unknown;
}

/** `left`: the caller is gone and waits for no answer. */
export type ModelsBodyRead = Either<Problem | 'left', ModelsBody>;

/** `over`: when what was read is no longer needed. */
export type ReadModelsBody = (request: IncomingMessage, over: Promise<unknown>) => Promise<ModelsBodyRead>;

export interface BodyLimits {
  readonly each: number;
  /** Of all that are being read or passed on at once. */
  readonly together: number;
}

const jsonShape = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const unsupported = ({ headers }: IncomingMessage): Problem | undefined => {
  if (!jsonShape.test(headers['content-type'] ?? ''))
    return problem('unsupported-media-type', 'Send the body as application/json, in UTF-8.');
  return (headers['content-encoding'] ?? 'identity') === 'identity'
    ? undefined
    : problem('unsupported-media-type', 'Send the body without a content encoding.');
};

const tooLarge = (most: number): Problem => problem('body-too-large', `The body may hold at most ${most} bytes.`);

const bytesOf = async (request: IncomingMessage, most: number): Promise<Either<Problem | 'left', Buffer>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) return left(tooLarge(most));
      chunks.push(chunk);
    }
  } catch {
    return left('left');
  }
  return right(Buffer.concat(chunks, size));
};

/** What is said twice is refused: which of the two counts is for a model service to say, and another one may be counted here. */
const contentOf = (bytes: Buffer): Either<Problem, ModelsBody> => {
  const content = parseJson(bytes);
  return isLeft(content) ? left(problem('malformed-body', content.left)) : right({ bytes, content: content.right });
};

const read = async (request: IncomingMessage, most: number): Promise<ModelsBodyRead> => {
  const bytes = await bytesOf(request, most);
  return isLeft(bytes) ? bytes : contentOf(bytes.right);
};

/** Takes from what all may take together; what does not say how long it is may be as long as any. */
export const modelsBodyReader = ({ each, together }: BodyLimits): ReadModelsBody => {
  let taken = 0;
  return async (request, over) => {
    const refused = unsupported(request);
    if (refused !== undefined) return left(refused);
    const length = Number(request.headers['content-length'] ?? each);
    if (!(length <= each)) return left(tooLarge(each));
    if (taken + length > together)
      return left(problem('service-unavailable', 'Too much is being sent to models at once; try again.'));
    taken += length;
    void over.finally(() => {
      taken -= length;
    });
    return read(request, each);
  };
};
