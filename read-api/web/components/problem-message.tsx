/** Shows a problem: title, detail, invalid fields and request id. */
import { hasScope } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { withQuery } from '../kernel/router';
import { beginSessionPath, session } from '../kernel/session';

interface Props {
  readonly problem: Problem;
  readonly retry?: () => void;
}

const Faults = ({ problem: { errors } }: { readonly problem: Problem }) => (
  <ul>
    {errors.map(({ pointer, expected }) => (
      <li key={pointer}>
        <code>{pointer}</code> {expected === '' ? '' : `must be ${expected}`}
      </li>
    ))}
  </ul>
);

/** A fresh sign-in starts a new console session; the open page can then repeat the refused request. */
const signInHref = ({ wantsSecondFactor }: Problem): string => {
  const query = new URLSearchParams({ continue: beginSessionPath, prompt: 'login' });
  if (session.value.kind === 'in') query.set('tenant', session.value.who.tenantId);
  if (wantsSecondFactor === true) query.set('acr', 'mfa');
  return `/sign-in?${query.toString()}`;
};

const FreshSignIn = ({ problem }: { readonly problem: Problem }) => (
  <div class="form">
    <a class="button" href={signInHref(problem)} target="_blank" rel="noreferrer">
      Sign in again
    </a>
    <p class="faint">Opens in a new tab. Then return to this page and repeat your action.</p>
  </div>
);

const refusingStatuses = [401, 403, 429];

interface RequestIdProps extends Pick<Props, 'problem'> {
  readonly requestId: string;
}

/** Links readers with the scope to why the request was refused. */
const RequestId = ({ problem: { status }, requestId }: RequestIdProps) => (
  <p class="reference">
    Request <code>{requestId}</code>
    {refusingStatuses.includes(status) && hasScope('security:read') && (
      <>
        {' '}
        <a href={withQuery('/console/refused-requests', { requestId })}>Why it was refused</a>
      </>
    )}
  </p>
);

/** The same request would have the same answer. What was not found may be on its way to a view. */
const isFinal = ({ status, code }: Problem): boolean => status === 400 || status === 410 || code === 'no-address';

export const ProblemMessage = ({ problem, retry }: Props) => (
  <div class={problem.status === 404 ? 'notice' : 'notice bad'} role="alert">
    <h2>{problem.title}</h2>
    <p>{problem.detail}</p>
    {problem.code === 'insufficient-user-authentication' && <FreshSignIn problem={problem} />}
    {problem.errors.length > 0 && <Faults problem={problem} />}
    {problem.requestId !== undefined && <RequestId problem={problem} requestId={problem.requestId} />}
    {retry !== undefined && !isFinal(problem) && (
      <div class="actions">
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      </div>
    )}
  </div>
);
