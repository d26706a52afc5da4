/** Basic fields of the client form, depending on the client's type. */
import { CheckField, ChoiceField, TextField } from '../../components/form-fields';
import type { Client } from '../wire';
import { type ClientDraft, parseKeys } from './client-draft';
import { authenticationNames, grantNames, hasSecret } from './client-labels';

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

export const BasicFields = ({ draft, change, faultOf }: FieldsProps) => (
  <fieldset>
    <legend>What it is</legend>
    <TextField
      label="Name"
      help="People read it on the consent page."
      value={draft.name}
      onType={(name) => change({ name })}
      maxLength={120}
      fault={faultOf('name')}
      isRequired
    />
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
  </fieldset>
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

export const RedirectFields = ({ draft, change, faultOf }: FieldsProps) => (
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
    {draft.grantTypes.includes('authorization_code') && (
      <TextField
        label="Redirect URIs"
        help="One per line, each exactly as requests name it: https, http for loopback only (where the port may differ), or a scheme with a dot."
        value={draft.redirectUris}
        onType={(redirectUris) => change({ redirectUris })}
        maxLength={20_000}
        rows={3}
        fault={faultOf('redirectUris')}
      />
    )}
    {draft.grantTypes.includes('client_credentials') && (
      <TextField
        label="Service principal"
        help="The id of the pipeline or agent that tokens are issued to."
        value={draft.servicePrincipalId}
        onType={(servicePrincipalId) => change({ servicePrincipalId })}
        maxLength={128}
        fault={faultOf('servicePrincipalId')}
      />
    )}
  </fieldset>
);
