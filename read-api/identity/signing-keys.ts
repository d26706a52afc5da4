/** GET /v1/signing-keys: the keys that sign tokens of all tenants, for those who operate the platform. */
import { isLeft } from 'fp-ts/Either';
import { Instant, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { route } from '../../infra/http/route';
import { KeyState, type SigningKeyRow, signingKeysView } from '../../projections/identity/signing-keys/view';
import { given } from '../kernel/given';
import { pageRoute } from '../kernel/route';
import { asPlatform, type IdentityReading } from './of-platform';
import { EndReason, KeyId } from './wire';

const SigningKey = record('SigningKey', {
  kid: KeyId,
  algorithm: oneOf('SigningAlgorithm', ['ES256', 'EdDSA']),
  keystore: text('Keystore', { maxLength: 64 }),
  state: KeyState,
  createdAt: Instant,
  publishedAt: nullable(Instant),
  activatedAt: nullable(Instant),
  retiredAt: nullable(Instant),
  revokedAt: nullable(Instant),
  reason: EndReason,
});

const show = ({ tenantId: _tenant, revision: _revision, ...shown }: SigningKeyRow) => shown;

const page = pageRoute({
  path: '/v1/signing-keys',
  operation: 'listSigningKeys',
  summary: 'Keys that sign tokens, the newest first; for operators of the platform.',
  scopes: ['keys:read'],
  params: record('NoParams', {}),
  item: SigningKey,
  view: signingKeysView,
  filters: { state: KeyState },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'kid', direction: 'desc' },
  ],
  rows: (_params, { state }) => ({ where: given({ state }) }),
  show,
});

export const listSigningKeys = route<IdentityReading>()({
  ...page,
  handle: async (reading, request) => {
    const asked = asPlatform(reading, request);
    return isLeft(asked) ? asked.left : page.handle(reading, asked.right);
  },
});
