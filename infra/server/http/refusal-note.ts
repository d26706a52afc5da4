/**
 * The note of a service about a refusal, for the list of refused requests: a header of its answer, which the gateway removes. The caller
 * reads `code` and `detail` of its problem alone.
 */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, record, text } from '../../../domain/kernel/codec';

const name = text('name', { maxLength: 2_048 });

const RefusalNoteCodec = record(
  'RefusalNote',
  {},
  {
    code: text('code', { maxLength: 64 }),
    reason: text('reason', { maxLength: 512 }),
    tenantId: text('tenantId', { maxLength: 256 }),
    principalId: text('principalId', { maxLength: 256 }),
    clientId: name,
    isProven: t.boolean,
  },
);

export interface RefusalNote {
  readonly code?: string;
  /** A sentence for operators, which may hold more than the answer. It never has text of the request. */
  readonly reason?: string;
  /** The tenant, principal and client that exist and that the request named. */
  readonly tenantId?: string;
  readonly principalId?: string;
  readonly clientId?: string;
  /** Whether the caller proved to be these. */
  readonly isProven?: boolean;
}

export const refusalHeader = 'septet-refusal';

export const writeRefusalNote = (note: RefusalNote): string => Buffer.from(JSON.stringify(note)).toString('base64url');

const maxHeaderLength = 8_192;

export const readRefusalNote = (header: string | string[] | undefined): RefusalNote | undefined => {
  if (typeof header !== 'string' || header.length > maxHeaderLength) return undefined;
  try {
    const read = decodeStored(RefusalNoteCodec, JSON.parse(Buffer.from(header, 'base64url').toString('utf8')));
    return isLeft(read) ? undefined : read.right;
  } catch {
    return undefined;
  }
};

/** Steps of a protocol, which clients take by themselves. */
const protocolSteps = new Set(['use_dpop_nonce', 'authorization_pending', 'slow_down']);

interface Refusable {
  readonly status?: number;
  readonly body?: unknown;
  readonly problem?: { readonly status: number; readonly code: string; readonly detail: string };
  readonly refused?: RefusalNote;
  /** Of answers that refuse nothing. */
  readonly contentType?: string;
  readonly stream?: unknown;
}

interface OAuthError {
  readonly error: string;
  readonly error_description?: string;
  readonly message?: string;
}

const isOAuthError = (body: unknown): body is OAuthError =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

/** OAuth answers 400 where others answer 401 or 403 (RFC 6749 section 5.2). */
const refusingErrors = new Set([
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'invalid_scope',
  'invalid_target',
  'invalid_dpop_proof',
  'access_denied',
  'expired_token',
]);

const isRefusingStatus = (status: number | undefined): boolean => status === 401 || status === 403 || status === 429;

/** Undefined: the answer refuses no caller. */
export const refusalNoteOf = ({ status, body, problem, refused }: Refusable): RefusalNote | undefined => {
  if (problem !== undefined)
    return isRefusingStatus(problem.status) || refused !== undefined
      ? { code: problem.code, reason: problem.detail, ...refused }
      : undefined;
  if (isOAuthError(body)) {
    const { error, error_description: description, message } = body;
    const refuses = isRefusingStatus(status) || refusingErrors.has(error) || refused !== undefined;
    if (protocolSteps.has(error) || !refuses) return undefined;
    return { code: error, reason: description ?? message ?? 'The request was refused.', ...refused };
  }
  return refused;
};
