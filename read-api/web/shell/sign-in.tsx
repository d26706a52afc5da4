/** Sign-in page of the console. */
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../components/copy-button';
import icon from '../icon.svg';
import { type Begun, enter } from '../kernel/session';
import { SignInForm } from './sign-in-form';

const Credential = ({ begun, secret }: { readonly begun: Begun; readonly secret: string }) => (
  <>
    <h1>Keep your credential</h1>
    <p class="faint">
      The code has been used. From now on you sign in with this credential. The secret is shown only once.
    </p>
    <dl class="facts section">
      <div>
        <dt>Client id</dt>
        <dd class="mono">{begun.clientId}</dd>
        <CopyButton text={begun.clientId} label="Copy the id" />
      </div>
      <div>
        <dt>Client secret</dt>
        <dd class="mono">{secret}</dd>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
    </dl>
    <div class="form">
      <button type="button" class="button primary" onClick={() => enter(begun)}>
        I have saved it
      </button>
    </div>
  </>
);

export const SignIn = () => {
  const [begun, setBegun] = useState<Begun>();
  useEffect(() => {
    document.title = 'Sign in · Septet';
  }, []);
  const secret = begun?.clientSecret;
  const take = (next: Begun): void => (next.clientSecret === undefined ? enter(next) : setBegun(next));
  return (
    <main class="sign-in">
      <div>
        <img src={icon} alt="" width="44" height="44" />
        {begun !== undefined && secret !== undefined ? (
          <Credential begun={begun} secret={secret} />
        ) : (
          <>
            <h1>Sign in to Septet</h1>
            <p class="faint">With the credential of a principal that may operate the platform.</p>
            <SignInForm mayBeFirst onBegun={take} />
            <div class="form">
              <a class="button" href="/console/session/begin" target="_self">
                Sign in as a person
              </a>
            </div>
          </>
        )}
      </div>
    </main>
  );
};
