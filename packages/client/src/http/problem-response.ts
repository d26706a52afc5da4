/** Reads the reason of a refusal: a problem (RFC 9457), an OAuth error, or neither. */

import { type InputFault, ProblemError, type UnexpectedAnswerError } from '../errors';
import { createUnexpectedError, type RawResponse, type ResponseContext, readJson } from './read-response';
import { retryAfterSeconds } from './retry-policy';

const readTextField = (content: object, name: string): string | undefined => {
  const value: unknown = Object.hasOwn(content, name) ? Reflect.get(content, name) : undefined;
  return typeof value === 'string' ? value.slice(0, 4096) : undefined;
};

const isInputFault = (value: unknown): value is InputFault =>
  typeof value === 'object' &&
  value !== null &&
  readTextField(value, 'pointer') !== undefined &&
  readTextField(value, 'expected') !== undefined;

const readFaults = (content: object): readonly InputFault[] => {
  const errors: unknown = Reflect.get(content, 'errors');
  return Array.isArray(errors) ? errors.filter(isInputFault) : [];
};

/** Undefined if the content has neither form. */
export const parseProblem = (content: unknown, raw: ResponseContext): ProblemError | undefined => {
  if (typeof content !== 'object' || content === null) return undefined;
  const { status, headers } = raw.response;
  const code = readTextField(content, 'code') ?? readTextField(content, 'error');
  if (code === undefined) return undefined;
  const detail =
    readTextField(content, 'detail') ??
    readTextField(content, 'error_description') ??
    readTextField(content, 'message') ??
    '';
  const title = readTextField(content, 'title') ?? code;
  const fields = {
    code,
    status,
    title,
    detail,
    errors: readFaults(content),
    retryAfterSeconds: retryAfterSeconds(headers),
    challenge: headers.get('www-authenticate') ?? undefined,
  };
  return new ProblemError(fields, raw.context);
};

/** Maps a response that is no success to an error. */
export const readRefusal = async (raw: RawResponse, limit: number): Promise<ProblemError | UnexpectedAnswerError> => {
  const { status } = raw.response;
  if (status === 0 || (status >= 300 && status < 400))
    return createUnexpectedError(raw, 'redirect', 'The server sends elsewhere; its API does not.');
  const problem = parseProblem(await readJson(raw, limit), raw);
  return (
    problem ?? createUnexpectedError(raw, 'wrong-form', `Status ${status} came without a reason that can be read.`)
  );
};
