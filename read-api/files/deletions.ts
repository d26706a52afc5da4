/** GET /v1/files/:fileId/deletion and GET /v1/file-deletions: what was removed of deleted files, for their former owners and administrators. */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { placedFile } from '../../domain/files/access/state';
import {
  DeletionCause,
  DeletionFailure,
  DeletionStep,
  deletionSteps,
  deletionStream,
  deletions,
} from '../../domain/files/deletion/events';
import { type DeletionState, evolve, nextDeletionStep, noDeletion } from '../../domain/files/deletion/state';
import { FileId } from '../../domain/files/ids';
import { Instant, integer, listOf, nullable, oneOf, record } from '../../domain/kernel/codec';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { readFile, readFileAccess } from '../../infra/server/files/file-access';
import { problemOf } from '../../infra/server/http/problem';
import { type Identity, route } from '../../infra/server/http/routing/route';
import { type FileDeletionRow, FileDeletionStatus, fileDeletionsView } from '../../projections/files/deletions/view';
import { definedFields } from '../kernel/defined-fields';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { queryPage } from '../kernel/row-queries';
import { FilePath, type FileReading, fileUnknown, readProblems, scopes, tenantOf } from './file-reading';

const DeletionStepAnswer = record('FileDeletionStepProgress', {
  name: DeletionStep,
  status: oneOf('FileDeletionStepStatus', ['DONE', 'NEXT', 'PENDING']),
  /** What it removed: ingestions ended, chunks withdrawn, objects and uploads, keys, and objects that came later. */
  removed: integer(0),
  /** As counted after it was done; null before. */
  left: nullable(integer(0)),
});

const FileDeletion = record('FileDeletion', {
  fileId: FileId,
  status: FileDeletionStatus,
  /** Null until a worker has begun. */
  cause: nullable(DeletionCause),
  begunAt: nullable(Instant),
  deletedAt: nullable(Instant),
  steps: listOf('FileDeletionSteps', DeletionStepAnswer, deletionSteps.length),
  /** Of the step that is next; 0 before one failed. */
  attempt: integer(0),
  /** Why the last attempt failed, in a sentence. */
  failure: nullable(DeletionFailure),
});
type FileDeletion = t.TypeOf<typeof FileDeletion>;

const stepsOf = (
  next: DeletionStep | null,
  removed: (step: DeletionStep) => number | undefined,
): FileDeletion['steps'] => {
  const at = next === null ? deletionSteps.length : deletionSteps.indexOf(next);
  return deletionSteps.map((name, index) => {
    if (index >= at) return { name, status: index === at ? 'NEXT' : 'PENDING', removed: 0, left: null };
    return { name, status: 'DONE', removed: removed(name) ?? 0, left: 0 };
  });
};

const answerOf = (fileId: FileId, state: DeletionState): FileDeletion => {
  if (state.kind === 'none')
    return {
      ...{ fileId, status: 'DELETING', cause: null, begunAt: null, deletedAt: null, attempt: 0, failure: null },
      steps: stepsOf(deletionSteps[0], () => undefined),
    };
  const { cause, begunAt, deletedAt = null, completed, delayed } = state;
  return {
    ...{ fileId, cause, begunAt, deletedAt },
    status: state.kind === 'deleted' ? 'DELETED' : 'DELETING',
    steps: stepsOf(nextDeletionStep(state) ?? null, (step) => completed.find((one) => one.step === step)?.removed),
    attempt: delayed?.attempt ?? 0,
    failure: delayed?.reason ?? null,
  };
};

const itemOf = (row: FileDeletionRow): FileDeletion => {
  const { fileId, status, cause, begunAt, deletedAt, nextStep, attempt, failure } = row;
  const removed: { readonly [step in DeletionStep]: number | null } = {
    processing: row.endedIngestions,
    index: row.withdrawnChunks,
    objects: row.removedObjects,
    key: row.destroyedKeys,
    proof: row.removedLater,
  };
  return {
    ...{ fileId, status, cause, begunAt, deletedAt, attempt, failure },
    steps: stepsOf(nextStep, (step) => removed[step] ?? 0),
  };
};

const isAdministrator = ({ scopes: held }: Pick<Identity, 'scopes'>): boolean => held.includes('files:admin');

const rules = { family: deletions, initial: noDeletion, evolve };

export const getFileDeletion = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId/deletion',
  operation: 'getFileDeletion',
  summary: 'Get how far the deletion of a file is',
  description:
    'For the owner that the file had, and with `files:admin`; for others, and of a file that is not deleted for ever, as of a file that never was. Each step is proven by what is left, which is counted. A step that fails is tried again by itself.',
  access: { scopes },
  params: FilePath,
  answers: { 200: { description: 'Its steps.', body: FileDeletion } },
  problems: readProblems,
  handle: async ({ source }, { params: { fileId }, identity }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const [file, access, loaded] = await Promise.all([
      readFile(source, tenant.right, fileId),
      readFileAccess(source, tenant.right),
      loadAggregate(source, rules, deletionStream(tenant.right, fileId)),
    ]);
    if (isLeft(file)) return problemOf(file.left, {});
    if (isLeft(access)) return problemOf(access.left, {});
    if (isLeft(loaded)) return problemOf(loaded.left, {});
    if (file.right.kind === 'none') return fileUnknown;
    const { ownerId, hidden } = placedFile(access.right, file.right);
    const isOwn = ownerId === identity.principalId;
    if (!hidden.includes('deleted') || !(isOwn || isAdministrator(identity))) return fileUnknown;
    return { status: 200, body: answerOf(fileId, loaded.right.state) };
  },
});

export const listFileDeletions = route<FileReading>()({
  method: 'get',
  path: '/v1/file-deletions',
  operation: 'listFileDeletions',
  summary: 'List deletions of files, the newest first',
  description: 'Of files that the caller owned; with `files:admin`, all of the tenant.',
  access: { scopes },
  query: pageQuery('ListFileDeletionsQuery', { status: FileDeletionStatus }),
  headers: [minPosition],
  answers: pageAnswers('ListFileDeletionsPage', FileDeletion),
  problems: readProblems,
  handle: async (reading, { query: { status, limit, cursor }, ...rest }) => {
    const { identity } = rest;
    const ownerId = isAdministrator(identity) ? undefined : identity.principalId;
    const request = {
      where: definedFields({ status, ownerId }),
      order: [
        { field: 'begunAt', direction: 'desc' },
        { field: 'fileId', direction: 'desc' },
      ],
    } as const;
    return queryPage(
      reading,
      { operation: 'listFileDeletions', view: fileDeletionsView, request, limit, cursor, show: itemOf },
      rest,
    );
  },
});
