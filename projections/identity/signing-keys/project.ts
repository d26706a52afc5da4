import { type SigningKeyEvent, signingKeys } from '../../../domain/identity/signing-keys/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type SigningKeyRow, signingKeysView } from './view';

const change = ({ data, at }: RecordedEvent<SigningKeyEvent>, fields: Partial<SigningKeyRow>) => {
  const key = { tenantId: at.tenantId, kid: data.kid as SigningKeyRow['kid'] };
  return patchRow<SigningKeyRow>(key, { ...fields, revision: at.revision });
};

const untouched = { publishedAt: null, activatedAt: null, retiredAt: null, revokedAt: null, reason: null };

export const signingKeysProjection = projection(signingKeysView, [
  streamsOf(signingKeys, {
    KeyCreated: ({ data, at }) => {
      const { kid, algorithm, keystore, createdAt } = data;
      return putRow<SigningKeyRow>({ kid, algorithm, keystore, createdAt, state: 'CREATED', ...untouched, ...at });
    },
    KeyPublished: (recorded) => change(recorded, { state: 'PUBLISHED', publishedAt: recorded.data.publishedAt }),
    KeyActivated: (recorded) => change(recorded, { state: 'ACTIVE', activatedAt: recorded.data.activatedAt }),
    KeyRetired: (recorded) => change(recorded, { state: 'RETIRED', retiredAt: recorded.data.retiredAt }),
    KeyRevoked: (recorded) => {
      const { revokedAt, reason } = recorded.data;
      return change(recorded, { state: 'REVOKED', revokedAt, reason });
    },
  }),
]);
