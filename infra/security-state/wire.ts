/** Changes as JSON: on Redis between our own processes, and over HTTP to those who guard resources of their own. */
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { decode, integer, oneOf, record, text } from '../../domain/kernel/codec';
import type { SecurityChange, SecurityKind } from '../ports/security-state';
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

/** Decimal text: JSON's numbers end before positions do. */
export const Sequence = text('Sequence', { maxLength: 20, pattern: '\\d{1,20}', examples: ['184467440'] });

const moment = integer(0, forever);

export const SecurityStateChange = record('SecurityStateChange', {
  sequence: Sequence,
  kind: oneOf('SecurityKind', Object.keys(kinds) as SecurityKind[]),
  tenantId: text('TenantOrNone', { minLength: 0, maxLength: 63 }),
  subject: text('RevokedSubject', { minLength: 0, maxLength: 256 }),
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

/** Throws on one that cannot be read: not to know of a revocation is not an option. */
export const readChange = (row: unknown): SecurityChange => {
  const read = decode(SecurityStateChange, row);
  if (isLeft(read)) throw new Error('a change of the security state cannot be read');
  return { ...read.right, sequence: BigInt(read.right.sequence) };
};

export const readSequence = (value: unknown): bigint | null => (Sequence.is(value) ? BigInt(value) : null);
