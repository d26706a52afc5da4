/** A registered application, by the one way that it is registered with. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Application, isLiveSecret } from '../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../infra/http/route';
import { readClientName, writeClientName } from '../clients/client-name';
import { type ClientSource, loadClient } from '../clients/load-client';
import { secretOf } from '../clients/secret';
import { type ApplicationClient, notAuthenticated, type Told } from './client';
import { type AssertionDeps, provedByAssertion } from './client-assertion';
import { provedByConnection } from './client-certificate';
import { refuse } from './oauth-error';

/** What it takes to check more than secrets. */
export type ApplicationProofs = AssertionDeps;

type Proof = Either<JsonAnswer, boolean>;

/** Looked at whether there is an application or not, so that the time taken tells nothing. */
const provedBySecret = (application: Application | undefined, told: Told, secret: string): boolean => {
  const live = [...(application?.secrets.values() ?? [])].filter((one) => isLiveSecret(one, told.at));
  return secretOf(live, secret) !== undefined;
};

/** Only to who has shown the right secret of an enabled client: to all others a client's registration is as unknown as the client. */
const registeredForAnotherWay = ({ authentication }: Application): Proof =>
  refuse('invalid_client', `The client is registered for ${authentication}, and authenticates in no other way.`);

const proved = async (deps: ApplicationProofs, application: Application | undefined, told: Told): Promise<Proof> => {
  const { presented } = told;
  switch (presented.kind) {
    case 'secret': {
      const { method, secret } = presented;
      if (!provedBySecret(application, told, secret) || application?.enabled !== true) return right(false);
      return application.authentication === method ? right(true) : registeredForAnotherWay(application);
    }
    case 'assertion':
      return provedByAssertion(deps, application, { ...told, presented });
    case 'name':
      return provedByConnection(deps, application, told);
  }
};

export const authenticateApplication = async (
  deps: ClientSource & ApplicationProofs,
  told: Told,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const name = readClientName(told.presented.clientId);
  const found = name === undefined ? right(undefined) : await loadClient(deps, name);
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const application = found.right;
  const proof = await proved(deps, application, told);
  if (isLeft(proof)) return proof;
  if (name === undefined || application === undefined || !proof.right || !application.enabled) return notAuthenticated;
  return right({ kind: 'application', clientId: writeClientName(name), ...name, application });
};
