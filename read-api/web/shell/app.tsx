/** The console. Shows the sign-in without a session; a session that ends leaves the page in place. */

import { useEffect } from 'preact/hooks';
import { ProblemMessage } from '../components/problem-message';
import { place } from '../kernel/router';
import { resume, session, type Who } from '../kernel/session';
import { Layout } from './layout';
import { SessionExpiredDialog } from './session-expired-dialog';
import { beginSession, CredentialSignIn, credentialSignInPath, SignedOut } from './sign-in';

/** Another principal gets new pages, without state of the previous one. */
const keyOf = ({ principalId, clientId }: Who): string => `${principalId} ${clientId}`;

const Loading = () => <div class="sign-in" role="status" aria-label="Loading" />;

const BeginSession = () => {
  useEffect(beginSession, []);
  return <Loading />;
};

export const App = () => {
  const { value } = session;
  switch (value.kind) {
    case 'asking':
      return <Loading />;
    case 'unknown':
      return (
        <main class="sign-in">
          <div>
            <h1>Septet</h1>
            <ProblemMessage problem={value.problem} retry={() => void resume()} />
          </div>
        </main>
      );
    case 'absent':
      return place.value.path === credentialSignInPath ? <CredentialSignIn /> : <BeginSession />;
    case 'signed-out':
      return <SignedOut />;
    case 'in':
      return <Layout key={keyOf(value.who)} who={value.who} />;
    case 'ended':
      return (
        <>
          <Layout key={keyOf(value.who)} who={value.who} />
          <SessionExpiredDialog who={value.who} why={value.why} />
        </>
      );
  }
};
