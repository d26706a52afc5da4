/** The console. Shows the sign-in without a session; a session that ends leaves the page in place. */

import { ProblemMessage } from '../components/problem-message';
import { resume, session, type Who } from '../kernel/session';
import { Layout } from './layout';
import { SessionExpiredDialog } from './session-expired-dialog';
import { SignIn } from './sign-in';

/** Another principal gets new pages, without state of the previous one. */
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
