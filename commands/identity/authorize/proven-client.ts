/** Whose request it is, and where its answer may go. Before that is known nobody is sent anywhere: a page says what is wrong. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isRegistered } from '../../../domain/identity/authorization/redirect-uri';
import type { Application } from '../../../domain/identity/client/state';
import type { ClientId } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer } from '../../../infra/http/route';
import { type ClientName, readClientName, writeClientName } from '../clients/client-name';
import { type ClientSource, loadClient } from '../clients/load-client';
import { failurePage } from '../pages/page';

export interface ProvenClient extends ClientName {
  readonly tenantId: TenantId;
  readonly clientId: ClientId;
  readonly application: Application;
}

export const cannotGoOn = (detail: string, status = 400): PageAnswer =>
  failurePage(status, 'This sign-in cannot go on', detail);

const unknownClient = cannotGoOn('The application that sent you here is not known.');
const unknownRedirect = cannotGoOn('The application asks to be answered at an address that is not its own.');
const again = 'Go back to the application and try again.';

export const unavailablePage = (detail: string): PageAnswer => ({
  ...cannotGoOn(`${detail} ${again}`, 503),
});

export const findClient = async (
  source: ClientSource,
  written: string | undefined,
): Promise<Either<PageAnswer, ProvenClient>> => {
  const name = written === undefined ? undefined : readClientName(written);
  if (name === undefined) return left(unknownClient);
  const application = await loadClient(source, name);
  if (isLeft(application)) return left(unavailablePage(application.left.detail));
  if (application.right === undefined || !application.right.enabled) return left(unknownClient);
  return right({ ...name, clientId: writeClientName(name), application: application.right });
};

export const proveRedirect = (
  { application }: ProvenClient,
  redirectUri: string | undefined,
): Either<PageAnswer, string> =>
  redirectUri !== undefined && isRegistered(application.redirectUris, redirectUri)
    ? right(redirectUri)
    : left(unknownRedirect);
