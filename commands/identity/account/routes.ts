/** The pages on which people look after their account. */
import type { BoundRoute } from '../../../infra/http/route';
import type { PeopleDeps } from '../sign-in/deps';
import { showing, taking } from '../sign-in/routes';
import { removeLink, showLink } from './links';
import { showAccount } from './page';
import { endAll, endOne, showSignOut, signOut } from './sessions';
import { enrolTotp, renewRecoveryCodes, showTotp } from './totp';
import { addPasskey, removePasskey, removePassword, removeTotp, setPassword, showPassword } from './ways';

const routes = [
  showing('/account', (deps, arrived) => showAccount(deps, arrived)),
  taking('/account/sessions/end', endOne),
  taking('/account/sessions/end-all', endAll),
  showing('/account/password', showPassword),
  taking('/account/password', setPassword),
  taking('/account/password/remove', removePassword),
  taking('/account/passkeys', addPasskey),
  taking('/account/passkeys/remove', removePasskey),
  showing('/account/totp', showTotp),
  taking('/account/totp', enrolTotp),
  taking('/account/totp/remove', removeTotp),
  taking('/account/recovery-codes', renewRecoveryCodes),
  showing('/account/link', showLink),
  taking('/account/links/remove', removeLink),
  showing('/account/sign-out', showSignOut),
  taking('/account/sign-out', signOut),
];

export const accountRoutes = (deps: PeopleDeps): readonly BoundRoute[] => routes.map((one) => one(deps));
