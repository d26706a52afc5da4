/** Dialog over an open page after its session ended; after the sign-in the page continues. */

import { Dialog } from '../components/dialog';
import { beginSessionPath, enter, isPerson, session, type Who } from '../kernel/session';
import { SignInForm } from './sign-in-form';

const OnOwnPages = ({ isFirst }: { readonly isFirst: boolean }) => (
  <div class="form">
    <a class={isFirst ? 'button primary' : 'button'} href={beginSessionPath} target="_blank" rel="noreferrer">
      {isFirst ? 'Sign in again' : 'Sign in with your account'}
    </a>
    <p class="faint">Opens in a new tab. This page continues as soon as you are signed in there.</p>
  </div>
);

export const SessionExpiredDialog = ({ who, why }: { readonly who: Who; readonly why: string }) => (
  <Dialog title="Your session has ended">
    <p>{why}</p>
    {!isPerson(who) && <SignInForm clientId={who.clientId} onSignedIn={enter} />}
    <OnOwnPages isFirst={isPerson(who)} />
    <div class="actions">
      <button
        type="button"
        class="button quiet"
        onClick={() => {
          session.value = { kind: 'signed-out' };
        }}
      >
        Leave this page
      </button>
    </div>
  </Dialog>
);
