/** Kinds of applications that a client is registered for, each with the settings that it usually has. */
import { type ClientDraft, emptyDraft } from './client-draft';

export interface ClientKind {
  readonly label: string;
  /** Which applications it is for. */
  readonly text: string;
  readonly settings: Partial<ClientDraft>;
  /** How its redirect URIs look; undefined: people do not come back to it. */
  readonly redirects?: string;
  /** What its scopes mean for it. */
  readonly scopesHelp: string;
}

const personal = 'What people are asked to allow. You can choose only scopes that you have.';
const ownName = 'What it may do in its own name. You can choose only scopes that you have.';

export const clientKinds = {
  web: {
    label: 'Web application',
    text: 'Runs on a server that keeps a secret, such as Express, Next.js, Rails or Spring. People sign in.',
    settings: { authentication: 'client_secret_basic', grantTypes: ['authorization_code', 'refresh_token'] },
    redirects: 'The callback address of your library, such as https://app.example.com/callback. One per line.',
    scopesHelp: personal,
  },
  spa: {
    label: 'Single-page application',
    text: 'JavaScript in the browser, without a server of its own. It keeps no secret and uses PKCE.',
    settings: {
      authentication: 'none',
      grantTypes: ['authorization_code'],
      scopes: ['openid', 'profile', 'email'],
    },
    redirects: 'The address of the page that people return to, such as https://app.example.com/. One per line.',
    scopesHelp: personal,
  },
  native: {
    label: 'Mobile or desktop application',
    text: 'Installed on a device. It keeps no secret; its refresh tokens are bound to a key of the device (DPoP).',
    settings: { authentication: 'none', grantTypes: ['authorization_code', 'refresh_token'], dpopBound: true },
    redirects:
      'A scheme with a dot (com.example.app:/callback), or http://127.0.0.1/callback with any port. One per line.',
    scopesHelp: personal,
  },
  device: {
    label: 'Command line, TV or other device',
    text: 'Has no browser: people type a code on their phone or computer.',
    settings: {
      authentication: 'none',
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
      scopes: ['openid', 'profile'],
    },
    scopesHelp: personal,
  },
  machine: {
    label: 'Machine',
    text: 'A service, job or agent that requests tokens in its own name, without a person.',
    settings: { authentication: 'client_secret_basic', grantTypes: ['client_credentials'], scopes: [] },
    scopesHelp: ownName,
  },
  api: {
    label: 'API',
    text: 'Receives tokens and asks whether they are still active. An API that only verifies signatures needs no client.',
    settings: {
      authentication: 'client_secret_basic',
      grantTypes: ['client_credentials'],
      scopes: ['tokens:introspect'],
    },
    scopesHelp: ownName,
  },
} as const satisfies { readonly [kind: string]: ClientKind };

export type KindName = keyof typeof clientKinds;
export const kindNames = Object.keys(clientKinds) as readonly KindName[];

export const isKindName = (text: string): text is KindName => Object.hasOwn(clientKinds, text);

export const draftFor = (kind: KindName): ClientDraft => ({ ...emptyDraft, ...clientKinds[kind].settings });
