/** What the console shows without a session. People sign in on the account pages; the form is for programs. */
import { useEffect } from 'preact/hooks';
import icon from '../icon.svg';
import { withQuery } from '../kernel/router';
import { beginSessionPath, enter } from '../kernel/session';
import { SignInForm } from './sign-in-form';

/** Where programs sign in; the sign-in page of people leads here. */
export const credentialSignInPath = '/console/sign-in';

/** The requested page without a session: signs the person in, and comes back. */
export const beginSession = (): void => {
  const page = `${location.pathname}${location.search}`;
  location.replace(withQuery(beginSessionPath, { continue: page }));
};

const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · Septet`;
  }, [title]);

const Brand = () => (
  <p class="brand">
    <img src={icon} alt="" width="28" height="28" />
    Septet
  </p>
);

export const CredentialSignIn = () => {
  useTitle('Sign in');
  return (
    <main class="sign-in">
      <div>
        <Brand />
        <h1>Sign in with a credential</h1>
        <p class="faint">For programs, pipelines and agents: the client id and secret of a principal.</p>
        <SignInForm onSignedIn={enter} />
        <div class="form">
          <a class="button" href={beginSessionPath} target="_self">
            Sign in with your account
          </a>
        </div>
      </div>
    </main>
  );
};

export const SignedOut = () => {
  useTitle('Signed out');
  return (
    <main class="sign-in">
      <div>
        <Brand />
        <h1>You are signed out</h1>
        <div class="form">
          <a class="button primary" href={beginSessionPath} target="_self">
            Sign in
          </a>
          <a class="button quiet" href={credentialSignInPath} target="_self">
            Sign in with a credential
          </a>
        </div>
      </div>
    </main>
  );
};
