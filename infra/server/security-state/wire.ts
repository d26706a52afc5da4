/** JSON codec of changes, for Redis and for resource servers over HTTP. */
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { decodeStored, integer, oneOf, record, text } from '../../../domain/kernel/codec';
import type { SecurityChange, SecurityKind } from '../../ports/identity/security-state';
import { forever } from './retention';

const kinds: { readonly [kind in SecurityKind]: null } = {
  epoch: null,
  tenantEpoch: null,
  globalEpoch: null,
  jti: null,
  grant: null,
  family: null,
  client: null,
  key: null,
  session: null,
};

/** Decimal text: positions exceed JSON numbers. */
export const Sequence = text('Sequence', { maxLength: 20, pattern: '\\d{1,20}', examples: ['184467440'] });

const moment = integer(0, forever);

export const SecurityStateChange = record('SecurityStateChange', {
  sequence: Sequence,
  kind: oneOf('SecurityKind', Object.keys(kinds) as SecurityKind[]),
  tenantId: text('TenantOrNone', { examples: ['main'], minLength: 0, maxLength: 63 }),
  subject: text('RevokedSubject', { examples: ['7d9f1c9e'], minLength: 0, maxLength: 256 }),
  minimum: moment,
  at: moment,
  until: moment,
});
type WireChange = TypeOf<typeof SecurityStateChange>;

export const writeChange = ({ sequence, kind, tenantId, subject, minimum, at, until }: SecurityChange): WireChange => ({
  sequence: String(sequence),
  kind,
  tenantId,
  subject,
  minimum,
  at,
  until,
});

/** Throws on unreadable changes: a revocation must not be lost. */
export const readChange = (row: unknown): SecurityChange => {
  const read = decodeStored(SecurityStateChange, row);
  if (isLeft(read)) throw new Error('a change of the security state cannot be read');
  return { ...read.right, sequence: BigInt(read.right.sequence) };
};

export const readSequence = (value: unknown): bigint | null => (Sequence.is(value) ? BigInt(value) : null);
