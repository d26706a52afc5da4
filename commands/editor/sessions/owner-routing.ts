/** Where a document is: with this process, which takes it when nobody has it, or with another one, which is asked instead. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DocumentId } from '../../../domain/editor/ids';
import type { Permission } from '../../../domain/editor/roles';
import type { DocumentKey } from '../../../domain/editor/streams';
import { TenantId } from '../../../domain/kernel/ids';
import type { CallerKeys } from '../../../infra/http/caller-keys';
import { identityHeader, verifyCaller } from '../../../infra/http/identity';
import { type Problem, problem } from '../../../infra/http/problem';
import type { Answer, RouteRequest } from '../../../infra/http/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../../../infra/http/upgrade';
import type { Log } from '../../../infra/ports/log';
import type { Random } from '../../../infra/ports/random';
import { passedHeader, passOn } from '../../../infra/ws/pass-on';
import type { DocumentHandle, DocumentRegistry } from '../document-owner/document-handle';
import { authorizeDocument } from '../history/authorization';
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

/** Undefined: here, also where it is to be refused. Left: nobody can say right now. */
const findOwnerAddress = async (
  { documents, access }: SocketRoutingDeps,
  { documentKey, principalId }: SocketRequest,
): Promise<Either<string, string | undefined>> => {
  if (documents.find(documentKey) !== undefined) return right(undefined);
  const documentAccess = await access.read(documentKey);
  if (isLeft(documentAccess)) return left('Documents cannot be looked up right now; try again.');
  // Nothing is taken for somebody who may not see it.
  if (documentAccess.right.state !== 'active' || documentAccess.right.roleOf(principalId) === undefined)
    return right(undefined);
  const opened = await documents.open(documentKey);
  if (!isLeft(opened) || opened.left.kind === 'rejection') return right(undefined);
  return opened.left.kind === 'elsewhere' ? right(opened.left.address) : left(opened.left.detail);
};

const changingHands = 'The document is changing hands; try again.';

const onDefect =
  ({ log }: SocketRoutingDeps, { socket }: Upgrading) =>
  (error: unknown): void => {
    log.error({ error }, 'defect in finding a document’s owner');
    socket.destroy();
  };

/** Nobody listens there: it has ended, and nobody waits for its lease to end, too. */
const takeOverFrom = async (
  { documents }: SocketRoutingDeps,
  acceptHere: Upgrade,
  [upgrading, documentKey, address]: readonly [Upgrading, DocumentKey, string],
): Promise<void> => {
  const opened = await documents.open(documentKey, address);
  if (isLeft(opened)) refuseUpgrade(upgrading.socket, problem('service-unavailable', changingHands));
  else acceptHere(upgrading);
};

const routeUpgrade = async (deps: SocketRoutingDeps, acceptHere: Upgrade, upgrading: Upgrading): Promise<void> => {
  const { request, socket } = upgrading;
  const target = parseSocketRequest(deps, upgrading);
  // What is not understood here is refused where all others are.
  if (target === undefined) return acceptHere(upgrading);
  const address = await findOwnerAddress(deps, target);
  if (isLeft(address)) return refuseUpgrade(socket, problem('service-unavailable', address.left));
  if (address.right === undefined) return acceptHere(upgrading);
  if (request.headers[passedHeader] !== undefined)
    return refuseUpgrade(socket, problem('service-unavailable', changingHands));
  const from = address.right;
  passOn(upgrading, from, () => {
    takeOverFrom(deps, acceptHere, [upgrading, target.documentKey, from]).catch(onDefect(deps, upgrading));
  });
};

/** Sockets of documents that another copy has go there; all others are taken here. */
export const routeUpgradeToOwner =
  (deps: SocketRoutingDeps, acceptHere: Upgrade): Upgrade =>
  (upgrading) => {
    routeUpgrade(deps, acceptHere, upgrading).catch(onDefect(deps, upgrading));
  };

/** The owner of a document, for requests: this process, or the one that has it, which is asked in the caller's name. */

export interface OwnerRoutingDeps
  extends Pick<SessionDeps, 'documents' | 'access' | 'rateLimiter' | 'clientIds' | 'metrics' | 'clock'> {
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
  const authorized = await authorizeDocument(deps, { identity, documentId }, act);
  if (isLeft(authorized)) return authorized;
  const opened = await deps.documents.open(authorized.right.documentKey);
  if (!isLeft(opened)) return opened;
  if (opened.left.kind !== 'elsewhere') return unavailable(opened.left.detail);
  // Once is enough, whatever is believed of where it belongs.
  if (headers[passedHeader] !== undefined) return unavailable('The document is changing hands; try again.');
  return right({ documentKey: authorized.right.documentKey, address: opened.left.address });
};

export interface ForwardedRequest {
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
}

const forwardTimeoutMilliseconds = 30_000;
const forwardedHeaders = ['retry-after', 'idempotency-key'];

const pickForwardedHeaders = ({ headers }: Response): { readonly [name: string]: string } =>
  Object.fromEntries(
    forwardedHeaders.flatMap((name) => [[name, headers.get(name)]]).filter(([, value]) => value !== null),
  );

const isConnectionRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

const ownerDoesNotAnswer = 'The document’s owner does not answer; send the same again.';

/** Where nobody listens it has ended: this process takes its place before the same comes again. */
const handleNoAnswer = async (
  { documents }: OwnerRoutingDeps,
  { documentKey, address }: RemoteOwner,
  error: unknown,
) => {
  if (isConnectionRefused(error)) await documents.open(documentKey, address);
  return problem('service-unavailable', ownerDoesNotAnswer);
};

/** Whatever it answers is the answer; where it answers nothing, nobody knows what became of it. */
export const forwardToOwner = async (
  deps: OwnerRoutingDeps,
  { headers: received, target, signal }: DocumentRequest,
  [owner, { body, headers = {} }]: readonly [RemoteOwner, ForwardedRequest],
): Promise<Answer> => {
  try {
    const answer = await fetch(new URL(target, owner.address), {
      method: 'POST',
      headers: {
        ...headers,
        ...{ 'content-type': 'application/json', [passedHeader]: '1' },
        // The gateway's own word for who calls: no copy of the editor can give another.
        [identityHeader]: received[identityHeader] ?? '',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMilliseconds)]),
    });
    const content = (await answer.json()) as Problem['problem'];
    const shown = pickForwardedHeaders(answer);
    return answer.ok ? { status: answer.status, body: content, headers: shown } : { problem: content, headers: shown };
  } catch (error) {
    return handleNoAnswer(deps, owner, error);
  }
};
