/** Why the server refused, read from whatever it sent. */
import { type Came, contentOf, type Raw, unexpected } from './answer';
import { type InputFault, ProblemError, type UnexpectedAnswerError } from './errors';
import { retryAfterSeconds } from './retry-after';

const textIn = (content: object, name: string): string | undefined => {
  const value: unknown = Object.hasOwn(content, name) ? Reflect.get(content, name) : undefined;
  return typeof value === 'string' ? value.slice(0, 4096) : undefined;
};

const isFault = (value: unknown): value is InputFault =>
  typeof value === 'object' &&
  value !== null &&
  textIn(value, 'pointer') !== undefined &&
  textIn(value, 'expected') !== undefined;

const faultsIn = (content: object): readonly InputFault[] => {
  const errors: unknown = Reflect.get(content, 'errors');
  return Array.isArray(errors) ? errors.filter(isFault) : [];
};

/** Undefined when it has neither form. */
export const problemIn = (content: unknown, raw: Came): ProblemError | undefined => {
  if (typeof content !== 'object' || content === null) return undefined;
  const { status, headers } = raw.response;
  const code = textIn(content, 'code') ?? textIn(content, 'error');
  if (code === undefined) return undefined;
  const detail = textIn(content, 'detail') ?? textIn(content, 'error_description') ?? textIn(content, 'message') ?? '';
  const title = textIn(content, 'title') ?? code;
  const said = {
    code,
    status,
    title,
    detail,
    errors: faultsIn(content),
    retryAfterSeconds: retryAfterSeconds(headers),
    challenge: headers.get('www-authenticate') ?? undefined,
  };
  return new ProblemError(said, raw.context);
};

/** Why an answer is none of success. */
export const refusalOf = async (raw: Raw, limit: number): Promise<ProblemError | UnexpectedAnswerError> => {
  const { status } = raw.response;
  if (status === 0 || (status >= 300 && status < 400))
    return unexpected(raw, 'redirect', 'The server sends elsewhere; its API does not.');
  const problem = problemIn(await contentOf(raw, limit), raw);
  return problem ?? unexpected(raw, 'wrong-form', `Status ${status} came without a reason that can be read.`);
};
