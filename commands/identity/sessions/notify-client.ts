/** Notifies a client of the end of a session that it signed into (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import type { LogoutNotification } from '../../../domain/identity/notify-on-client-signed-out/process';
import type { RemoteForm } from '../../../infra/ports/identity/remote-form';
import { again, type JobFailure, type PerformJob } from '../../kernel/work-queue/job-handler';
import { parseApplicationClientId } from '../clients/client-id';
import { type ClientSource, loadClient } from '../clients/load-client';
import { type LogoutTokenDeps, signLogoutToken } from './logout-token';

export interface NotifyDeps extends LogoutTokenDeps, ClientSource {
  readonly postForm: RemoteForm;
}

const done = right([]);

/** 204 is what some frameworks make of an empty 200. */
const isAccepted = (status: number): boolean => status === 200 || status === 204;

const notify = async (
  deps: NotifyDeps,
  { application, address }: { readonly application: Application; readonly address: string },
  notification: LogoutNotification,
): Promise<Either<JobFailure, readonly never[]>> => {
  const token = await signLogoutToken(deps, application, notification);
  if (isLeft(token)) return again(token.left.detail);
  const status = await deps.postForm(address, { logout_token: token.right });
  if (isLeft(status)) return again(status.left.detail);
  return isAccepted(status.right) ? done : again(`The application answered with status ${status.right}.`);
};

/** By its registration of now: one that is disabled, or takes no notifications any more, is left alone. */
export const performLogoutNotification =
  (deps: NotifyDeps): PerformJob<LogoutNotification> =>
  async ({ payload }) => {
    const name = parseApplicationClientId(payload.clientId);
    const found = name === undefined ? right(undefined) : await loadClient(deps, name);
    if (isLeft(found)) return again(found.left.detail);
    const application = found.right;
    const address = application?.enabled === true ? application.backchannelLogoutUri : null;
    return application === undefined || address === null ? done : notify(deps, { application, address }, payload);
  };
