/** The libraries that sign in, each with the settings that are tried, the smallest first. */

/** One attempt. */
export interface Settings {
  /** In words, for the table. Undefined: none. */
  readonly inWords?: string;
  /** Fields of the client's registration besides the ones in the guide's five minutes. */
  readonly registration?: object;
  /** What the program is given. */
  readonly program?: object;
}

export type Runtime = 'node' | 'python' | 'java';

export interface Library {
  readonly name: string;
  readonly runtime: Runtime;
  /** The file of the program, in the folder of its runtime; of Java its class. */
  readonly program: string;
  /** Where the provider leads back to. */
  readonly callback: string;
  /** What leads to the provider; `/login` by default. */
  readonly login?: string;
  /** Where Auth.js begins instead: with a form and a token of its own. */
  readonly authJs?: string;
  /** What the library does with the ID token. */
  readonly idToken: 'verified' | 'read' | 'none';
  readonly attempts: readonly [Settings, ...Settings[]];
}

const defaults: Settings = {};

/** For libraries that do not send PKCE by their defaults; the client has a secret. */
export const withoutPkce: Settings = { registration: { pkce: 'optional' } };

/** Tried in `contracts/identity/mcp`, because it registers itself and calls a tool. */
export const modelContextProtocol = { name: '@modelcontextprotocol/sdk 1.32.2', idToken: 'none' } as const;

export const libraries: readonly Library[] = [
  {
    name: 'openid-client 6.8.9',
    runtime: 'node',
    program: 'openid-client-6.mjs',
    callback: '/callback',
    idToken: 'verified',
    attempts: [defaults],
  },
  {
    name: 'openid-client 5.7.1',
    runtime: 'node',
    program: 'openid-client-5.mjs',
    callback: '/callback',
    idToken: 'verified',
    attempts: [defaults],
  },
  {
    name: 'next-auth 4.24.13',
    runtime: 'node',
    program: 'next-auth-4.mjs',
    callback: '/api/auth/callback/septet',
    authJs: '/api/auth',
    idToken: 'verified',
    attempts: [
      defaults,
      { inWords: "`checks: ['pkce', 'state']`", program: { provider: { checks: ['pkce', 'state'] } } },
    ],
  },
  {
    name: '@auth/core 0.41.3',
    runtime: 'node',
    program: 'auth-core.mjs',
    callback: '/api/auth/callback/septet',
    authJs: '/api/auth',
    idToken: 'verified',
    attempts: [defaults],
  },
  {
    name: 'passport-openidconnect 0.1.2',
    runtime: 'node',
    program: 'passport-openidconnect.mjs',
    callback: '/callback',
    idToken: 'read',
    attempts: [
      defaults,
      {
        inWords: '`nonce: true`; at the client `"pkce": "optional"`',
        registration: { pkce: 'optional' },
        program: { strategy: { nonce: true } },
      },
    ],
  },
  {
    name: 'authlib 1.9.10',
    runtime: 'python',
    program: 'authlib_flask.py',
    callback: '/callback',
    idToken: 'verified',
    attempts: [
      defaults,
      {
        inWords: "`client_kwargs={'code_challenge_method': 'S256'}`",
        program: { client_kwargs: { code_challenge_method: 'S256' } },
      },
    ],
  },
  {
    name: 'requests-oauthlib 2.0.0',
    runtime: 'python',
    program: 'requests_oauthlib_flask.py',
    callback: '/callback',
    idToken: 'none',
    attempts: [defaults, { inWords: "`pkce='S256'`", program: { session: { pkce: 'S256' } } }],
  },
  {
    name: 'Spring Security 6.5.6',
    runtime: 'java',
    program: 'Application',
    callback: '/login/oauth2/code/septet',
    login: '/oauth2/authorization/septet',
    idToken: 'verified',
    attempts: [defaults, { inWords: '`withPkce()`', program: { pkce: true } }],
  },
];
