/** Problems of the API (RFC 9457). */
import { type InputFault, isClientError } from '../../../packages/client/src';

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly InputFault[];
  /** For operators, to find the request. */
  readonly requestId: string | undefined;
  /** Of `insufficient-user-authentication` (RFC 9470): whether a second factor is required. */
  readonly wantsSecondFactor?: boolean;
}

const unreachable: Problem = {
  status: 0,
  code: 'unreachable',
  title: 'The server cannot be reached',
  detail: 'Check the connection, then try again.',
  errors: [],
  requestId: undefined,
};

const noAddress = {
  status: 404,
  code: 'no-address',
  title: 'Not found',
  detail: 'Nothing can have the name or id in this address. It may be cut off.',
};

/** What the page's address names cannot exist, so it is missing like anything else. */
const isOfAddress = (errors: readonly InputFault[]): boolean =>
  errors.length > 0 && errors.every(({ pointer }) => pointer.startsWith('/params/'));

export const problemOf = (error: unknown): Problem => {
  // Thrown before sending: a path segment would change the path.
  if (!isClientError(error)) return { ...unreachable, ...noAddress };
  const { requestId } = error.context;
  if (error.kind === 'problem') {
    const { status, code, title, detail, errors, challenge = '' } = error;
    if (status === 400 && isOfAddress(errors)) return { ...noAddress, errors: [], requestId };
    return { status, code, title, detail, errors, requestId, wantsSecondFactor: challenge.includes('acr_values=') };
  }
  if (error.kind !== 'unexpected-answer') return unreachable;
  const { status } = error;
  const title = `The server answered ${status}`;
  return { status, code: 'unknown', title, detail: 'The answer cannot be read.', errors: [], requestId };
};
