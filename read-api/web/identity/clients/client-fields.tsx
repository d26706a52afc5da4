/** Fields of the client form: what it is called, how it proves itself, and where people return to. */
import { CheckField, ChoiceField, TextField } from '../../components/form-fields';
import type { Client } from '../wire';
import { type ClientDraft, parseKeys } from './client-draft';
import { authenticationNames, grantNames, hasSecret, isForPeople } from './client-labels';
import { ServicePrincipalField } from './service-principal-field';

export interface FieldsProps {
  readonly draft: ClientDraft;
  readonly change: (fields: Partial<ClientDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
}

type GrantType = Client['grantTypes'][number];
const grantTypes = Object.keys(grantNames) as readonly GrantType[];
const methods = (Object.keys(authenticationNames) as readonly Client['authentication'][]).map((value) => ({
  value,
  label: authenticationNames[value],
}));

const toggle = (all: readonly GrantType[], one: GrantType, isIn: boolean): readonly GrantType[] =>
  isIn ? [...all, one] : all.filter((other) => other !== one);

export const NameField = ({ draft, change, faultOf }: FieldsProps) => (
  <TextField
    label="Name"
    help={isForPeople(draft) ? 'People read it on the consent page.' : 'What the console calls it.'}
    value={draft.name}
    onType={(name) => change({ name })}
    maxLength={120}
    fault={faultOf('name')}
    isRequired
  />
);

export const AuthenticationFields = ({ draft, change, faultOf }: FieldsProps) => (
  <>
    <ChoiceField
      label="Client authentication"
      value={draft.authentication}
      options={methods}
      onChoose={(authentication) => change({ authentication })}
      fault={faultOf('authentication')}
    />
    {hasSecret(draft) && (
      <CheckField
        label="Accept the secret only this way"
        help="Otherwise the secret is accepted in the header and in the form, because libraries choose by themselves."
        checked={draft.exactAuthentication}
        onCheck={(exactAuthentication) => change({ exactAuthentication })}
      />
    )}
    {draft.authentication === 'tls_client_auth' && (
      <TextField
        label="Certificate subject"
        help="In the format of RFC 4514, for example CN=billing,O=Acme"
        value={draft.tlsSubject}
        onType={(tlsSubject) => change({ tlsSubject })}
        maxLength={1_024}
        fault={faultOf('tlsSubject')}
      />
    )}
  </>
);

const hasKeys = ({ authentication }: ClientDraft): boolean =>
  authentication === 'private_key_jwt' || authentication === 'self_signed_tls_client_auth';

export const KeyFields = ({ draft, change, faultOf }: FieldsProps) =>
  hasKeys(draft) ? (
    <fieldset>
      <legend>Public keys</legend>
      <TextField
        label="JWKS URI"
        help="The https address of a JWK set. Or paste the keys below."
        value={draft.jwksUri}
        onType={(jwksUri) => change({ jwksUri })}
        maxLength={2_048}
        fault={faultOf('jwksUri')}
      />
      <TextField
        label="JWK set"
        value={draft.jwks}
        onType={(jwks) => change({ jwks })}
        maxLength={20_000}
        rows={5}
        fault={
          draft.jwks.trim() !== '' && parseKeys(draft.jwks) === undefined ? 'This is not valid JSON.' : faultOf('jwks')
        }
      />
    </fieldset>
  ) : null;

export const GrantTypeFields = ({ draft, change }: FieldsProps) => (
  <fieldset>
    <legend>Grant types</legend>
    {grantTypes.map((grantType) => (
      <CheckField
        key={grantType}
        label={grantNames[grantType]}
        checked={draft.grantTypes.includes(grantType)}
        onCheck={(isIn) => change({ grantTypes: toggle(draft.grantTypes, grantType, isIn) })}
      />
    ))}
  </fieldset>
);

const redirectRules =
  'One per line, each exactly as requests name it: https, http for loopback only (where the port may differ), or a scheme with a dot.';

interface RedirectProps extends FieldsProps {
  /** Of one kind of application. */
  readonly help?: string | undefined;
}

/** Where people return to, for clients that they sign in to with a browser; and what a client acts as in its own name. */
export const ReturnFields = ({ draft, change, faultOf, help = redirectRules }: RedirectProps) => (
  <>
    {draft.grantTypes.includes('authorization_code') && (
      <TextField
        label="Redirect URIs"
        help={help}
        value={draft.redirectUris}
        onType={(redirectUris) => change({ redirectUris })}
        maxLength={20_000}
        rows={3}
        fault={faultOf('redirectUris')}
        isRequired
      />
    )}
    {draft.grantTypes.includes('client_credentials') && (
      <ServicePrincipalField
        value={draft.servicePrincipalId}
        onChange={(servicePrincipalId) => change({ servicePrincipalId })}
        fault={faultOf('servicePrincipalId')}
      />
    )}
  </>
);

export const LogoutFields = ({ draft, change, faultOf }: FieldsProps) => (
  <>
    <TextField
      label="Post-logout redirect URIs"
      help="Optional. One per line."
      value={draft.postLogoutRedirectUris}
      onType={(postLogoutRedirectUris) => change({ postLogoutRedirectUris })}
      maxLength={20_000}
      rows={2}
      fault={faultOf('postLogoutRedirectUris')}
    />
    <TextField
      label="Back-channel logout URI"
      help="Optional. Notified when the session of a person who signed in here ends."
      value={draft.backchannelLogoutUri}
      onType={(backchannelLogoutUri) => change({ backchannelLogoutUri })}
      maxLength={2_048}
      fault={faultOf('backchannelLogoutUri')}
    />
  </>
);
