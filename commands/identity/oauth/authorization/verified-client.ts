/** Verifies client and redirect URI. Failures before that render a page instead of redirecting. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { isRegisteredRedirect } from '../../../../domain/identity/client/redirect-uri';
import type { Application } from '../../../../domain/identity/client/state';
import type { ClientId } from '../../../../domain/identity/ids';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import {
  type ApplicationClientName,
  formatApplicationClientId,
  parseApplicationClientId,
} from '../../clients/client-id';
import { type ClientSource, loadClient } from '../../clients/load-client';
import { findMetadataClient } from '../../clients/metadata-clients';
import { isMetadataUrl } from '../../clients/metadata-document';
import { failurePage } from '../../pages/page';

export interface VerifiedClient extends ApplicationClientName {
  readonly tenantId: TenantId;
  readonly clientId: ClientId;
  readonly application: Application;
  /** Of a client whose id is a URL, as it is now. */
  readonly document?: ClientMetadata | undefined;
}

export const authorizationErrorPage = (detail: string, status = 400): PageAnswer =>
  failurePage(status, 'This sign-in cannot continue', detail);

const unknownClient = authorizationErrorPage('The application that sent you here is not known.');
/** Without the address, which is text of strangers. Operators find the client among the refused requests. */
const unknownRedirect = ({ tenantId, clientId }: VerifiedClient): PageAnswer => {
  const reason = 'The application is not registered for the address that it wants the answer at.';
  return {
    ...authorizationErrorPage(
      `${reason} Its client id is ${clientId}: its developer compares redirect_uri with the registered ones.`,
    ),
    refused: { code: 'redirect-uri-unknown', reason, tenantId, clientId },
  };
};
const retryAdvice = 'Go back to the application and try again.';

export const unavailablePage = (detail: string): PageAnswer => ({
  ...authorizationErrorPage(`${detail} ${retryAdvice}`, 503),
});

const verifyMetadataClient = async (source: ClientSource, url: string): Promise<Either<PageAnswer, VerifiedClient>> => {
  const found = await findMetadataClient(source, url, { recorded: false });
  if (isLeft(found))
    return left(
      found.left.kind === 'document-fault'
        ? authorizationErrorPage(`The document that describes the application, at ${url}, ${found.left.detail}`)
        : unavailablePage(found.left.detail),
    );
  if (found.right?.application.enabled !== true) return left(unknownClient);
  return right({ ...found.right, clientId: formatApplicationClientId(found.right) });
};

/** By its id, or by the URL of its document. */
export const verifyClient = async (
  source: ClientSource,
  written: string | undefined,
): Promise<Either<PageAnswer, VerifiedClient>> => {
  if (written !== undefined && isMetadataUrl(written)) return verifyMetadataClient(source, written);
  const name = written === undefined ? undefined : parseApplicationClientId(written);
  if (name === undefined) return left(unknownClient);
  const application = await loadClient(source, name);
  if (isLeft(application)) return left(unavailablePage(application.left.detail));
  if (application.right === undefined || !application.right.enabled) return left(unknownClient);
  return right({ ...name, clientId: formatApplicationClientId(name), application: application.right });
};

export const verifyRedirectUri = (
  client: VerifiedClient,
  redirectUri: string | undefined,
): Either<PageAnswer, string> =>
  redirectUri !== undefined && isRegisteredRedirect(client.application.redirectUris, redirectUri)
    ? right(redirectUri)
    : left(unknownRedirect(client));
