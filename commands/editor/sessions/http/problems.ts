/** HTTP answers to refusals by document owners. */
import type { Rejection } from '../../../../domain/kernel/rejection';
import { contentAccessProblems } from '../../../../infra/server/documents/authorize-document';
import { type Problem, problemOf } from '../../../../infra/server/http/problem';
import { type TooManyRequests, tooManyRequests } from '../../../../infra/server/http/too-many-requests';
import type { BatchRefusal } from '../../document-owner/document-handle';
import type { SessionDeps } from '../dependencies';
import type { RateLimitScope, RetryAfter } from '../rate-limits';

const { 'document-unknown': unknown, 'document-trashed': trashed, 'document-deleted': gone } = contentAccessProblems;
const { 'role-too-low': low, 'version-unknown': version } = contentAccessProblems;

export const contentProblems = {
  'document-unknown': unknown,
  'document-trashed': trashed,
  'document-deleted': gone,
  'role-too-low': low,
  'batch-malformed': { status: 400, title: 'The batch is malformed' },
  'batch-too-large': { status: 413, title: 'The batch is too large' },
  'client-id-taken': { status: 409, title: 'Another client already uses this id' },
  'client-id-not-issued': { status: 409, title: 'The client id was not issued to the caller' },
  'client-seq-gap': { status: 409, title: 'Operations of the client before these are missing' },
  'client-too-old': { status: 409, title: 'The client is too old' },
  'client-too-new': { status: 409, title: 'The client is newer than the server' },
} as const;

export const restoreProblems = { ...contentProblems, 'version-unknown': version } as const;

type Code = keyof typeof restoreProblems | 'service-unavailable';
type OwnerRefusal = BatchRefusal | Rejection<'version-unknown' | 'forbidden'>;

const problemCodes: { readonly [code in OwnerRefusal['code']]: Code } = {
  'batch-too-large': 'batch-too-large',
  'client-id-taken': 'client-id-taken',
  'client-id-not-issued': 'client-id-not-issued',
  'client-seq-gap': 'client-seq-gap',
  'client-too-old': 'client-too-old',
  'client-too-new': 'client-too-new',
  forbidden: 'role-too-low',
  malformed: 'batch-malformed',
  'not-found': 'document-unknown',
  trashed: 'document-trashed',
  'service-unavailable': 'service-unavailable',
  'version-unknown': 'version-unknown',
};

export const contentProblem = (refusal: OwnerRefusal): Problem => {
  const { kind, detail } = refusal;
  const translated = problemOf<Code>(
    { kind, code: problemCodes[refusal.code], detail } as Rejection<Code>,
    restoreProblems,
  );
  if (!('expectedClientSeq' in refusal)) return translated;
  const { expectedClientSeq } = refusal;
  const extended = { ...translated.problem, expectedClientSeq };
  return { ...translated, problem: extended };
};

const scopeDescriptions: { readonly [of in RateLimitScope]: string } = {
  client: 'of this client',
  principal: 'of all clients of the caller',
  document: 'of all who edit the document',
};

const inSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000);

export const tooManyOperations = (
  { metrics }: Pick<SessionDeps, 'metrics'>,
  { of, milliseconds, unit, rate, remaining }: RetryAfter,
): TooManyRequests => {
  metrics.limited('operations', of);
  const { most, perSecond } = rate;
  return tooManyRequests(
    {
      unit,
      limit: most,
      remaining,
      resetSeconds: Math.ceil((most - remaining) / perSecond),
      windowSeconds: Math.ceil(most / perSecond),
      retryAfterSeconds: inSeconds(milliseconds),
    },
    `Operations ${scopeDescriptions[of]} exceeded their rate limit; wait for the time in Retry-After.`,
  );
};
