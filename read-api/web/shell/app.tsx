/** The console: whoever is not signed in is asked to; a session that ends meanwhile leaves the page standing. */

import { ProblemMessage } from '../components/problem-message';
import { resume, session, type Who } from '../kernel/session';
import { Layout } from './layout';
import { SessionExpiredDialog } from './session-expired-dialog';
import { SignIn } from './sign-in';

/** Somebody else who signs in gets pages of their own. */
const keyOf = ({ principalId, clientId }: Who): string => `${principalId} ${clientId}`;

export const App = () => {
  const { value } = session;
  switch (value.kind) {
    case 'asking':
      return <div class="sign-in" role="status" aria-label="Loading" />;
    case 'unknown':
      return (
        <main class="sign-in">
          <div>
            <h1>Septet</h1>
            <ProblemMessage problem={value.problem} retry={() => void resume()} />
          </div>
        </main>
      );
    case 'out':
      return <SignIn />;
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
