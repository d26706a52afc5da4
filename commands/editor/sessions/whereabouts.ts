/** Where a document is: with this process, which takes it when nobody has it, or with another one, which is asked instead. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DocumentId } from '../../../domain/editor/ids';
import type { DocumentKey } from '../../../domain/editor/streams';
import { TenantId } from '../../../domain/kernel/ids';
import type { CallerKeys } from '../../../infra/http/caller-keys';
import { identityHeader, verifyCaller } from '../../../infra/http/identity';
import { problem } from '../../../infra/http/problem';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../../../infra/http/upgrade';
import type { Log } from '../../../infra/ports/log';
import { passedHeader, passOn } from '../../../infra/ws/pass-on';
import type { Access } from '../owner/needs';
import type { Documents } from '../owner/types';

export interface WhereaboutsDeps {
  readonly documents: Documents;
  readonly access: Pick<Access, 'about'>;
  readonly callerKeys: CallerKeys;
  readonly log: Log;
}

interface Asked {
  readonly place: DocumentKey;
  readonly principalId: string;
}

const socketPath = /^\/v1\/documents\/([A-Za-z0-9_-]+)\/socket(?:\?|$)/;

const askedBy = ({ callerKeys }: WhereaboutsDeps, { request }: Upgrading): Asked | undefined => {
  const { method = '', url = '' } = request;
  const header = request.headers[identityHeader] as string | undefined;
  const caller = verifyCaller(header, { keys: callerKeys, line: { method, target: url }, now: Date.now() });
  const [, documentId] = socketPath.exec(url) ?? [];
  const identity = isLeft(caller) ? undefined : caller.right.identity;
  if (identity === undefined || !TenantId.is(identity.tenantId) || !DocumentId.is(documentId)) return undefined;
  return { place: { tenant: identity.tenantId, documentId }, principalId: identity.principalId };
};

/** Undefined: here, also where it is to be refused. Left: nobody can say right now. */
const addressFor = async (
  { documents, access }: WhereaboutsDeps,
  { place, principalId }: Asked,
): Promise<Either<string, string | undefined>> => {
  if (documents.held(place) !== undefined) return right(undefined);
  const standing = await access.about(place);
  if (isLeft(standing)) return left('Documents cannot be looked up right now; try again.');
  // Nothing is taken for somebody who may not see it.
  if (standing.right.state !== 'active' || standing.right.roleOf(principalId) === undefined) return right(undefined);
  const opened = await documents.open(place);
  if (!isLeft(opened) || opened.left.kind === 'rejection') return right(undefined);
  return opened.left.kind === 'elsewhere' ? right(opened.left.address) : left(opened.left.detail);
};

const away = 'The document is changing hands; try again.';

const defect =
  ({ log }: WhereaboutsDeps, { socket }: Upgrading) =>
  (error: unknown): void => {
    log.error({ error }, 'defect in finding a document’s owner');
    socket.destroy();
  };

/** Nobody listens there: it has ended, and nobody waits for its lease to end, too. */
const takeFrom = async (
  { documents }: WhereaboutsDeps,
  here: Upgrade,
  [upgrading, place, address]: readonly [Upgrading, DocumentKey, string],
): Promise<void> => {
  const opened = await documents.open(place, address);
  if (isLeft(opened)) refuseUpgrade(upgrading.socket, problem('service-unavailable', away));
  else here(upgrading);
};

const lead = async (deps: WhereaboutsDeps, here: Upgrade, upgrading: Upgrading): Promise<void> => {
  const { request, socket } = upgrading;
  const asked = askedBy(deps, upgrading);
  // What is not understood here is refused where all others are.
  if (asked === undefined) return here(upgrading);
  const address = await addressFor(deps, asked);
  if (isLeft(address)) return refuseUpgrade(socket, problem('service-unavailable', address.left));
  if (address.right === undefined) return here(upgrading);
  if (request.headers[passedHeader] !== undefined) return refuseUpgrade(socket, problem('service-unavailable', away));
  const from = address.right;
  passOn(upgrading, from, () => {
    takeFrom(deps, here, [upgrading, asked.place, from]).catch(defect(deps, upgrading));
  });
};

/** Sockets of documents that another copy has go there; all others are taken here. */
export const ownerDoor =
  (deps: WhereaboutsDeps, here: Upgrade): Upgrade =>
  (upgrading) => {
    lead(deps, here, upgrading).catch(defect(deps, upgrading));
  };
