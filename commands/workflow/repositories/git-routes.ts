/** Git's smart protocol over HTTP (gitprotocol-http), versions 0 to 2. */
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { oneOf, record, text } from '../../../domain/kernel/codec';
import { type PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { GitExchange, GitLocation } from '../../../infra/ports/workflow/git-repositories';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import {
  type Answer,
  byteRoute,
  type RequestBytes,
  type RouteRequest,
  route,
} from '../../../infra/server/http/routing/route';
import type { WorkflowAdapters } from '../adapters';
import { announcePushWith } from './announce-push';
import { findRepository } from './find-repository';
import { authenticateGit } from './git-authentication';
import { gitProblems, gitRouteProblems } from './problems';
import { repositoryInPath } from './repository-id';

type Service = GitExchange['service'];
type GitPath = { readonly tenantId: TenantId; readonly repository: string };

const GitPath = record('GitPath', {
  tenantId: TenantId,
  repository: text('RepositoryInPath', {
    maxLength: 128,
    pattern: '[A-Za-z0-9_][A-Za-z0-9_.-]*',
    examples: ['storefront.git'],
  }),
});
const scopeOf = { 'git-upload-pack': 'workflows:read', 'git-receive-pack': 'workflows:write' } as const;
const maxPackBytes = 2 ** 31;

interface GitCall {
  readonly service: Service;
  readonly advertise: boolean;
  readonly input: Readable;
  readonly request: Pick<RouteRequest<GitPath, unknown, unknown>, 'params' | 'headers' | 'signal' | 'requestId'>;
}

const exchangeOf = (
  adapters: WorkflowAdapters,
  { service, advertise, input, request }: GitCall,
  actorId: PrincipalId,
): GitExchange => {
  const { headers, signal, requestId } = request;
  const common = { advertise, input, protocol: headers['git-protocol'], signal };
  return service === 'git-upload-pack'
    ? { ...common, service }
    : { ...common, service, actorId, announce: announcePushWith(adapters, requestId) };
};

const answerGit = async (adapters: WorkflowAdapters, call: GitCall): Promise<Answer> => {
  const { service, advertise, request } = call;
  const { tenantId, repository: segment } = request.params;
  const location: GitLocation = { tenantId, repoId: repositoryInPath(tenantId, segment) };
  const scope = scopeOf[service];
  const actor = await authenticateGit(adapters, request.headers.authorization, { location, scope });
  if (isLeft(actor)) return actor.left;
  const repository = await findRepository(adapters, location);
  if (isLeft(repository)) return problemOf<string>(repository.left, gitProblems);
  const { git, definition } = repository.right;
  if (service === 'git-receive-pack' && definition.host === 'remote')
    return problem('forbidden', 'The repository is a copy of a remote one: push there.');
  const exchange = async (): Promise<Either<Problem, Readable>> => {
    const output = await git.exchange(location, exchangeOf(adapters, call, actor.right));
    return isLeft(output) ? left(problemOf<string>(output.left, gitProblems)) : output;
  };
  // HEAD starts no process. Of others the body is read here, where its faults are known.
  const started = advertise ? undefined : await exchange();
  if (started !== undefined && isLeft(started)) return started.left;
  return {
    contentType: `application/x-${service}-${advertise ? 'advertisement' : 'result'}`,
    headers: { 'Cache-Control': 'no-cache, max-age=0, must-revalidate' },
    open: async () => started ?? exchange(),
  };
};

export const listRefs = route<WorkflowAdapters>()({
  method: 'get',
  path: '/git/:tenantId/:repository/info/refs',
  operation: 'listRefs',
  summary: 'List the refs of a repository, for Git',
  access: 'public',
  params: GitPath,
  query: record('RefsQuery', { service: oneOf('GitService', ['git-upload-pack', 'git-receive-pack']) }),
  answers: {
    200: {
      description: 'Refs and abilities.',
      bytes: ['application/x-git-upload-pack-advertisement', 'application/x-git-receive-pack-advertisement'],
    },
  },
  problems: gitRouteProblems,
  handle: (adapters, request) =>
    answerGit(adapters, { service: request.query.service, advertise: true, input: Readable.from([]), request }),
});

/** The body without its coding. What it unpacks to is bounded, too. */
const decodedBody = ({ stream }: RequestBytes, coding: string | undefined): Readable => {
  if (coding?.trim().toLowerCase() !== 'gzip') return stream;
  const plain = new PassThrough();
  let bytes = 0;
  const bounded = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxPackBytes) throw new Error('the body unpacks to too many bytes');
      yield chunk;
    }
  };
  pipeline(stream, createGunzip(), bounded, plain).catch(() => undefined);
  return plain;
};

const packRoute = (service: Service, operation: string, summary: string) =>
  byteRoute<WorkflowAdapters>()({
    method: 'post',
    path: `/git/:tenantId/:repository/${service}`,
    operation,
    summary,
    access: 'public',
    sensitive: false,
    params: GitPath,
    bytes: { mediaTypes: [`application/x-${service}-request`], codings: ['gzip'], maxBytes: maxPackBytes },
    answers: { 200: { description: "Git's answer.", bytes: [`application/x-${service}-result`] } },
    problems: gitRouteProblems,
    handle: async (adapters, request) => {
      const input = decodedBody(request.body, request.headers['content-encoding']);
      try {
        return await answerGit(adapters, { service, advertise: false, input, request });
      } catch (error) {
        // The route answers what it knows of the body; a body that is no gzip is the client's fault.
        if (request.body.stream.errored !== null || input === request.body.stream) throw error;
        return problem('malformed-body', 'The body is not gzip, or unpacks to too many bytes.');
      }
    },
  });

export const uploadPack = packRoute('git-upload-pack', 'uploadPack', 'Fetch commits, for Git');
export const receivePack = packRoute('git-receive-pack', 'receivePack', 'Push commits, for Git');
