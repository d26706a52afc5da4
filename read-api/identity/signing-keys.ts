/** GET /v1/signing-keys: keys of all tenants' tokens, for platform operators. */
import { isLeft } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { route } from '../../infra/server/http/routing/route';
import { KeyState, SigningKeyRow, signingKeysView } from '../../projections/identity/signing-keys/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { asOperator, type IdentityReading } from './access-rules';
import { EndReason } from './wire';

const SigningKey = record('SigningKey', { ...answerFields(SigningKeyRow), reason: EndReason });

const page = pageRoute({
  path: '/v1/signing-keys',
  operation: 'listSigningKeys',
  summary: 'List signing keys, newest first; for operators of the platform',
  scopes: ['keys:read'],
  params: record('NoParams', {}),
  item: SigningKey,
  view: signingKeysView,
  filters: { state: KeyState },
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'kid', direction: 'desc' },
  ],
  rows: (_params, { state }) => ({ where: definedFields({ state }) }),
  show: toResponseOf(SigningKey),
});

export const listSigningKeys = route<IdentityReading>()({
  ...page,
  handle: async (reading, request) => {
    const operatorRequest = asOperator(reading, request);
    return isLeft(operatorRequest) ? operatorRequest.left : page.handle(reading, operatorRequest.right);
  },
});
