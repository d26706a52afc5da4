/** Scope, audience and lifetime fields of the client form. */
import { CheckField, ChoiceField, TextField } from '../../components/form-fields';
import { ScopeField } from '../shared/scope-field';
import type { FieldsProps } from './client-fields';
import { isForPeople } from './client-labels';

interface ScopesProps extends FieldsProps {
  readonly help?: string;
}

export const ScopesField = ({ draft, change, faultOf, help }: ScopesProps) => (
  <ScopeField
    help={help ?? 'Its tokens have no scope that is not chosen here. You can choose only scopes that you have.'}
    chosen={draft.scopes}
    onChoose={(scopes) => change({ scopes })}
    fault={faultOf('scopes')}
    hasPersonal={isForPeople(draft)}
  />
);

export const AudienceFields = ({ draft, change, faultOf }: FieldsProps) => (
  <>
    <TextField
      label="Audiences"
      help="The services that accept its tokens."
      value={draft.audiences}
      onType={(audiences) => change({ audiences })}
      maxLength={4_000}
      fault={faultOf('audiences')}
      isRequired
    />
    {draft.grantTypes.includes('refresh_token') && (
      <div class="pair">
        <TextField
          label="Refresh tokens expire when unused for (hours)"
          value={draft.refreshIdleHours}
          onType={(refreshIdleHours) => change({ refreshIdleHours })}
          maxLength={8}
          fault={faultOf('refreshIdleSeconds')}
          isNumber
        />
        <TextField
          label="Refresh tokens expire in any case after (days)"
          value={draft.refreshAbsoluteDays}
          onType={(refreshAbsoluteDays) => change({ refreshAbsoluteDays })}
          maxLength={8}
          fault={faultOf('refreshAbsoluteSeconds')}
          isNumber
        />
      </div>
    )}
  </>
);

/** The last is for clients from before there was a choice. */
const idTokenAlgorithms = [
  { value: 'RS256', label: 'RS256, which libraries expect' },
  { value: 'ES256', label: 'ES256' },
  { value: 'EdDSA', label: 'EdDSA (Ed25519)' },
  { value: '', label: 'the algorithm of access tokens' },
] as const;

const IdTokenFields = ({ draft, change, faultOf }: FieldsProps) => (
  <>
    <ChoiceField
      label="ID tokens are signed with"
      value={draft.idTokenAlgorithm}
      options={idTokenAlgorithms}
      onChoose={(idTokenAlgorithm) => change({ idTokenAlgorithm })}
      fault={faultOf('idTokenAlgorithm')}
    />
    <CheckField
      label="ID tokens carry name and e-mail address"
      help="For libraries that do not call the userinfo endpoint."
      checked={draft.personClaimsInIdToken}
      onCheck={(personClaimsInIdToken) => change({ personClaimsInIdToken })}
    />
  </>
);

export const TokenRuleFields = ({ draft, change, faultOf }: FieldsProps) => (
  <fieldset>
    <legend>Security requirements</legend>
    <CheckField
      label="Requires DPoP-bound tokens"
      help="A stolen token cannot be used. Required for refresh tokens of public clients."
      checked={draft.dpopBound}
      onCheck={(dpopBound) => change({ dpopBound })}
    />
    <CheckField
      label="Requires certificate-bound tokens"
      checked={draft.certificateBound}
      onCheck={(certificateBound) => change({ certificateBound })}
    />
    <CheckField
      label="Requires pushed authorization requests (PAR)"
      checked={draft.requirePushed}
      onCheck={(requirePushed) => change({ requirePushed })}
    />
    {draft.authentication !== 'none' && draft.grantTypes.includes('authorization_code') && (
      <CheckField
        label="Requires PKCE"
        help="Without it, OpenID requests need a nonce. Only for libraries that cannot do PKCE."
        checked={draft.pkce === 'required'}
        onCheck={(isRequired) => change({ pkce: isRequired ? 'required' : 'optional' })}
      />
    )}
    <CheckField
      label="FAPI 2.0 Security Profile"
      help="The client authenticates by key or certificate, with assertions for this issuer only, and its tokens are bound."
      checked={draft.fapi}
      onCheck={(fapi) => change({ fapi })}
    />
    {draft.scopes.includes('openid') && <IdTokenFields draft={draft} change={change} faultOf={faultOf} />}
    <CheckField
      label="First-party client"
      help="People are not asked for consent."
      checked={draft.firstParty}
      onCheck={(firstParty) => change({ firstParty })}
    />
  </fieldset>
);
