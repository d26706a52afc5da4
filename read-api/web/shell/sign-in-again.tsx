/** The session has ended under an open page: signing in again goes on where one was. */
import { enter, session, type Who } from '../kernel/session';
import { Dialog } from '../parts/dialog';
import { SignInForm } from './sign-in-form';

export const SignInAgain = ({ who, why }: { readonly who: Who; readonly why: string }) => (
  <Dialog title="Your session has ended">
    <p>{why}</p>
    <SignInForm clientId={who.clientId} mayBeFirst={false} onBegun={enter} />
    <div class="actions">
      <button
        type="button"
        class="button quiet"
        onClick={() => {
          session.value = { kind: 'out' };
        }}
      >
        Leave the page
      </button>
    </div>
  </Dialog>
);
