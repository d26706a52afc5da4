/** Finds the owner of a document and proxies sockets and requests to it. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DocumentId, type DocumentKey } from '../../../domain/editor/ids';
import type { Permission } from '../../../domain/editor/roles';
import { TenantId } from '../../../domain/kernel/ids';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Random } from '../../../infra/ports/runtime/random';
import { authorizeDocument } from '../../../infra/server/documents/authorize-document';
import type { CallerKeys } from '../../../infra/server/http/identity/caller-keys';
import { identityHeader, verifyCaller } from '../../../infra/server/http/identity/identity-header';
import { type Problem, problem } from '../../../infra/server/http/problem';
import type { Answer, RouteRequest } from '../../../infra/server/http/routing/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../../../infra/server/http/server/upgrade';
import { proxiedHeader, proxySocket } from '../../../infra/server/ws/socket-proxy';
import type { DocumentHandle, DocumentRegistry } from '../document-owner/document-handle';
import type { AccessSource } from '../ports';
import type { SessionDeps } from './dependencies';

export interface SocketRoutingDeps {
  readonly documents: DocumentRegistry;
  readonly access: Pick<AccessSource, 'read'>;
  readonly callerKeys: CallerKeys;
  readonly log: Log;
}

interface SocketRequest {
  readonly documentKey: DocumentKey;
  readonly principalId: string;
}

const socketPath = /^\/v1\/documents\/([A-Za-z0-9_-]+)\/socket(?:\?|$)/;

const parseSocketRequest = ({ callerKeys }: SocketRoutingDeps, { request }: Upgrading): SocketRequest | undefined => {
  const { method = '', url = '' } = request;
  const header = request.headers[identityHeader] as string | undefined;
  const caller = verifyCaller(header, { keys: callerKeys, line: { method, target: url }, now: Date.now() });
  const [, documentId] = socketPath.exec(url) ?? [];
  const identity = isLeft(caller) ? undefined : caller.right.identity;
  if (identity === undefined || !TenantId.is(identity.tenantId) || !DocumentId.is(documentId)) return undefined;
  return { documentKey: { tenant: identity.tenantId, documentId }, principalId: identity.principalId };
};

/** Undefined: handle it here, also if it will be rejected. Left: unknown right now. */
const findOwnerAddress = async (
  { documents, access }: SocketRoutingDeps,
  { documentKey, principalId }: SocketRequest,
): Promise<Either<string, string | undefined>> => {
  if (documents.find(documentKey) !== undefined) return right(undefined);
  const documentAccess = await access.read(documentKey);
  if (isLeft(documentAccess)) return left('Documents cannot be looked up right now; try again.');
  // A document is not opened for principals without access.
  if (documentAccess.right.state !== 'active' || documentAccess.right.roleOf(principalId) === undefined)
    return right(undefined);
  const opened = await documents.open(documentKey);
  if (!isLeft(opened) || opened.left.kind === 'rejection') return right(undefined);
  return opened.left.kind === 'elsewhere' ? right(opened.left.address) : left(opened.left.detail);
};

const changingHands = 'The document’s owner is changing; try again.';

const onDefect =
  ({ log }: SocketRoutingDeps, { socket }: Upgrading) =>
  (error: unknown): void => {
    log.error({ error }, 'defect in finding a document’s owner');
    socket.destroy();
  };

interface TakeoverRequest extends RemoteOwner {
  readonly upgrading: Upgrading;
}

/** The owner's process has ended: takes its lease without waiting for expiry. */
const takeOverFrom = async (
  { documents }: SocketRoutingDeps,
  acceptHere: Upgrade,
  { upgrading, documentKey, address }: TakeoverRequest,
): Promise<void> => {
  const opened = await documents.open(documentKey, address);
  if (isLeft(opened)) refuseUpgrade(upgrading.socket, problem('service-unavailable', changingHands));
  else acceptHere(upgrading);
};

const routeUpgrade = async (deps: SocketRoutingDeps, acceptHere: Upgrade, upgrading: Upgrading): Promise<void> => {
  const { request, socket } = upgrading;
  const target = parseSocketRequest(deps, upgrading);
  // The socket endpoint rejects malformed requests.
  if (target === undefined) return acceptHere(upgrading);
  const address = await findOwnerAddress(deps, target);
  if (isLeft(address)) return refuseUpgrade(socket, problem('service-unavailable', address.left));
  if (address.right === undefined) return acceptHere(upgrading);
  if (request.headers[proxiedHeader] !== undefined)
    return refuseUpgrade(socket, problem('service-unavailable', changingHands));
  const from = address.right;
  proxySocket(upgrading, from, () => {
    takeOverFrom(deps, acceptHere, { upgrading, documentKey: target.documentKey, address: from }).catch(
      onDefect(deps, upgrading),
    );
  });
};

/** Proxies sockets of documents that another process owns; handles all others here. */
export const routeUpgradeToOwner =
  (deps: SocketRoutingDeps, acceptHere: Upgrade): Upgrade =>
  (upgrading) => {
    routeUpgrade(deps, acceptHere, upgrading).catch(onDefect(deps, upgrading));
  };

export interface OwnerRoutingDeps
  extends Pick<SessionDeps, 'documents' | 'access' | 'rateLimiter' | 'metrics' | 'clock'> {
  readonly random: Random;
}

export type DocumentRequest = Pick<
  RouteRequest<{ readonly documentId: DocumentId }, unknown, unknown>,
  'identity' | 'headers' | 'target' | 'params' | 'signal'
>;

export interface RemoteOwner {
  readonly documentKey: DocumentKey;
  readonly address: string;
}

const unavailable = (detail: string): Either<Problem, never> => left(problem('service-unavailable', detail));

export const findOwner = async (
  deps: OwnerRoutingDeps,
  { identity, headers, params: { documentId } }: DocumentRequest,
  act: Permission,
): Promise<Either<Problem, DocumentHandle | RemoteOwner>> => {
  const authorized = await authorizeDocument(deps.access.read, { identity, documentId }, act);
  if (isLeft(authorized)) return authorized;
  const opened = await deps.documents.open(authorized.right.documentKey);
  if (!isLeft(opened)) return opened;
  if (opened.left.kind !== 'elsewhere') return unavailable(opened.left.detail);
  // A request is forwarded once only.
  if (headers[proxiedHeader] !== undefined) return unavailable('The document’s owner is changing; try again.');
  return right({ documentKey: authorized.right.documentKey, address: opened.left.address });
};

export interface ForwardedRequest {
  readonly owner: RemoteOwner;
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** Default: POST, with the body. */
  readonly method?: 'GET' | 'POST';
}

const forwardTimeoutMilliseconds = 30_000;
/** Those of a limit are of a 429 only: nothing else that an owner answers has them. */
const forwardedHeaders = /^(retry-after|idempotency-key|x-ratelimit-.*|ratelimit|ratelimit-policy)$/;

const pickForwardedHeaders = ({ headers }: Response): { readonly [name: string]: string } =>
  Object.fromEntries([...headers].filter(([name]) => forwardedHeaders.test(name)));

const isProblem = ({ headers }: Response): boolean => headers.get('content-type') === 'application/problem+json';

const isConnectionRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

const ownerDoesNotAnswer = 'The document’s owner does not answer; send the request again.';

/** If the connection is refused, the owner has ended; this process takes ownership before the client retries. */
const handleNoAnswer = async (
  { documents }: Pick<OwnerRoutingDeps, 'documents'>,
  { documentKey, address }: RemoteOwner,
  error: unknown,
) => {
  if (isConnectionRefused(error)) await documents.open(documentKey, address);
  return problem('service-unavailable', ownerDoesNotAnswer);
};

/** Returns the owner's answer as it is. Without an answer the outcome is unknown. */
export const forwardToOwner = async (
  deps: Pick<OwnerRoutingDeps, 'documents'>,
  { headers: received, target, signal }: DocumentRequest,
  { owner, body, headers = {}, method = 'POST' }: ForwardedRequest,
): Promise<Answer> => {
  try {
    const answer = await fetch(new URL(target, owner.address), {
      method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        [proxiedHeader]: '1',
        // The gateway's signed identity; an editor process cannot create one.
        [identityHeader]: received[identityHeader] ?? '',
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMilliseconds)]),
    });
    const content: unknown = await answer.json();
    const picked = pickForwardedHeaders(answer);
    return isProblem(answer)
      ? { problem: content as Problem['problem'], headers: picked }
      : { status: answer.status, body: content, headers: picked };
  } catch (error) {
    return handleNoAnswer(deps, owner, error);
  }
};
