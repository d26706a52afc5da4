import type { TypeOf } from 'io-ts';
import { oneOf } from '../kernel/codec';
import { idOf } from '../kernel/ids';

export const CredentialId = idOf('CredentialId');
export type CredentialId = TypeOf<typeof CredentialId>;

/** A signed claim on every token; never inferred from a name. */
export const PrincipalType = oneOf('PrincipalType', ['HUMAN', 'PIPELINE', 'AI_AGENT']);
export type PrincipalType = TypeOf<typeof PrincipalType>;
