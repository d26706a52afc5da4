/** How grave a security event is (specification of the identity service, section 6). */
import type { TypeOf } from 'io-ts';
import { oneOf } from '../../kernel/codec';

/** `SEV-1`: keys, tenants or many tokens. `SEV-2`: one principal's access is stolen or misused. `SEV-3`: to be looked at. */
export const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);
export type Severity = TypeOf<typeof Severity>;
