import { signingKeys } from '../../../domain/identity/signing-keys/events';
import { on } from '../../kernel/projection';
import { type RowSource, row } from './meaning';

export const ofSigningKeys: RowSource = on(signingKeys, 'signingKeys', {
  KeyCreated: (recorded) => {
    const { kid, algorithm, keystore } = recorded.data;
    return row(recorded, { summary: `Signing key created for ${algorithm}.`, details: { kid, algorithm, keystore } });
  },
  KeyPublished: (recorded) => row(recorded, { summary: 'Signing key published.', details: { kid: recorded.data.kid } }),
  KeyActivated: (recorded) => row(recorded, { summary: 'Signing key signs now.', details: { kid: recorded.data.kid } }),
  KeyRetired: (recorded) =>
    row(recorded, { summary: 'Signing key signs no more.', details: { kid: recorded.data.kid } }),
  // Nobody revokes a key that they trust: a routine change retires it.
  KeyRevoked: (recorded) => {
    const { kid, reason } = recorded.data;
    const summary = `Signing key revoked, and all that it signed: ${reason}`;
    return row(recorded, { summary, severity: 'SEV-1', details: { kid, reason } });
  },
});
