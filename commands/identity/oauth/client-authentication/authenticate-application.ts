/** Authenticates an application by its registered method; a secret counts in the header and in the form. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { acceptsSecretBy } from '../../../../domain/identity/client/secrets';
import { type Application, type ClientSecret, isLiveSecret } from '../../../../domain/identity/client/state';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import {
  type ApplicationClientName,
  formatApplicationClientId,
  parseApplicationClientId,
} from '../../clients/client-id';
import { findApplicationSecret } from '../../clients/client-secret';
import { applicationNameOf, type ClientSource, loadClient } from '../../clients/load-client';
import { findMetadataClient } from '../../clients/metadata-clients';
import { oauthFailure } from '../token/oauth-error';
import { type ApplicationClient, type ClientProof, invalidClient } from './authenticated-client';
import { type AssertionDeps, verifyClientAssertion } from './client-assertion';
import { verifyClientCertificate } from './client-certificate';

/** Dependencies of methods other than secrets. */
export type ApplicationProofs = AssertionDeps;

type ProofResult = Either<JsonAnswer, boolean>;

const unprovenReasons = {
  secret: 'The client secret is wrong, has expired, or was revoked.',
  assertion: 'The client assertion is not valid.',
  name: 'The client sent no secret, assertion or certificate that is valid for it.',
} as const;

/** Runs for unknown applications, too, so that timing reveals nothing. */
const findSecret = (
  application: Application | undefined,
  proof: ClientProof,
  secret: string,
): ClientSecret | undefined => {
  const live = [...(application?.secrets.values() ?? [])].filter((one) => isLiveSecret(one, proof.at));
  return findApplicationSecret(live, secret);
};

/** Only after a valid secret of an enabled client: registrations are not revealed to others. */
const otherMethodRegistered = ({ authentication }: Application): ProofResult =>
  oauthFailure('invalid_client', `The client is registered for ${authentication}, and authenticates in no other way.`);

const verifyProof = async (
  deps: ApplicationProofs,
  application: Application | undefined,
  proof: ClientProof,
): Promise<ProofResult> => {
  const { presented } = proof;
  switch (presented.kind) {
    case 'secret': {
      const { method, secret } = presented;
      if (findSecret(application, proof, secret) === undefined || application?.enabled !== true) return right(false);
      return acceptsSecretBy(application, method) ? right(true) : otherMethodRegistered(application);
    }
    case 'assertion':
      return verifyClientAssertion(deps, application, { ...proof, presented });
    case 'name':
      return verifyClientCertificate(deps, application, proof);
  }
};

/** A document that cannot be used is as an unknown client, unless it was recorded before. */
const loadPresentedClient = async (
  source: ClientSource,
  name: ApplicationClientName,
  clientId: string,
): Promise<Either<EventStoreFault, Application | undefined>> => {
  if (parseApplicationClientId(clientId) !== undefined) return loadClient(source, name);
  const found = await findMetadataClient(source, clientId, { recorded: true });
  if (!isLeft(found)) return right(found.right?.application);
  return found.left.kind === 'document-fault' ? right(undefined) : left(found.left);
};

export const authenticateApplication = async (
  deps: ClientSource & ApplicationProofs,
  proof: ClientProof,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const { clientId: presentedId } = proof.presented;
  const name = applicationNameOf(deps, presentedId);
  const found = name === undefined ? right(undefined) : await loadPresentedClient(deps, name, presentedId);
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const application = found.right;
  const verified = await verifyProof(deps, application, proof);
  if (isLeft(verified)) return verified;
  if (name === undefined || application === undefined)
    return invalidClient({ reason: 'No client has this client id.' });
  const named = { tenantId: name.tenantId, clientId: formatApplicationClientId(name) };
  if (!application.enabled) return invalidClient({ ...named, reason: 'The client is disabled.' });
  if (!verified.right) return invalidClient({ ...named, reason: unprovenReasons[proof.presented.kind] });
  const { presented } = proof;
  const secret = presented.kind === 'secret' ? findSecret(application, proof, presented.secret) : undefined;
  const by = secret === undefined ? {} : { secret };
  return right({ kind: 'application', clientId: formatApplicationClientId(name), ...name, application, ...by });
};
