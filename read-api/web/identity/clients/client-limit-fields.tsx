/** Scope, audience and lifetime fields of the client form. */
import { CheckField, ChoiceField, TextField } from '../../components/form-fields';
import { ScopeField } from '../shared/scope-field';
import type { FieldsProps } from './client-fields';

export const ScopeFields = ({ draft, change, faultOf }: FieldsProps) => (
  <fieldset>
    <legend>How far it reaches</legend>
    <ScopeField
      help="The most that its tokens can have. You can choose what you have yourself."
      chosen={draft.scopes}
      onChoose={(scopes) => change({ scopes })}
      fault={faultOf('scopes')}
      hasPersonal
    />
    <TextField
      label="Audiences"
      help="The services that its tokens are for."
      value={draft.audiences}
      onType={(audiences) => change({ audiences })}
      maxLength={4_000}
      fault={faultOf('audiences')}
      isRequired
    />
    {draft.grantTypes.includes('refresh_token') && (
      <div class="pair">
        <TextField
          label="Refresh tokens end unused after (hours)"
          value={draft.refreshIdleHours}
          onType={(refreshIdleHours) => change({ refreshIdleHours })}
          maxLength={8}
          fault={faultOf('refreshIdleSeconds')}
          isNumber
        />
        <TextField
          label="And in any case after (days)"
          value={draft.refreshAbsoluteDays}
          onType={(refreshAbsoluteDays) => change({ refreshAbsoluteDays })}
          maxLength={8}
          fault={faultOf('refreshAbsoluteSeconds')}
          isNumber
        />
      </div>
    )}
  </fieldset>
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
      label="ID tokens are signed by"
      value={draft.idTokenAlgorithm}
      options={idTokenAlgorithms}
      onChoose={(idTokenAlgorithm) => change({ idTokenAlgorithm })}
      fault={faultOf('idTokenAlgorithm')}
    />
    <CheckField
      label="ID tokens carry name and e-mail address"
      help="For libraries that do not ask userinfo."
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
      help="A stolen token cannot be used. Refresh tokens of clients without a secret need it."
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
    <CheckField
      label="Held to the FAPI 2.0 Security Profile"
      help="It authenticates by key or certificate, with assertions for the issuer alone, and its tokens are bound."
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
    <TextField
      label="Post-logout redirect URIs"
      help="One a line; may be left empty."
      value={draft.postLogoutRedirectUris}
      onType={(postLogoutRedirectUris) => change({ postLogoutRedirectUris })}
      maxLength={20_000}
      rows={2}
      fault={faultOf('postLogoutRedirectUris')}
    />
  </fieldset>
);
