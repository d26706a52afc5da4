/** Paths of the console that pages outside of it lead to. */

/** Begins a session of the console for a person who is signed in; leads others to the sign-in page. `continue` is a page of the console. */
export const beginConsolePath = '/console/session/begin';

/** Where programs sign in with a client id and secret. */
export const credentialSignInPath = '/console/sign-in';
