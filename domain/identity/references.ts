/** The signing key in use, where it lies in the directory of keys. The private part of a retired or revoked one is destroyed. */
import { isLeft } from 'fp-ts/Either';
import { noReferences, type OpenReferenceReader } from '../kernel/references';
import { signingKeys } from './signing-keys/events';

const types = new Set(signingKeys.storedTypes);
/** Others are in a device, which has backups of its own. */
const keystore = 'local';

export const references: OpenReferenceReader = () => {
  const created = new Set<string>();
  return ({ type, data }) => {
    const event = types.has(type) ? signingKeys.decode(type, data) : undefined;
    if (event === undefined || isLeft(event)) return noReferences;
    const { kid } = event.right.data;
    switch (event.right.type) {
      case 'KeyCreated':
        if (event.right.data.keystore === keystore) created.add(kid);
        return noReferences;
      case 'KeyActivated':
        return created.has(kid) ? { added: [{ kind: 'signing-key', name: kid, owner: kid }] } : noReferences;
      case 'KeyRetired':
      case 'KeyRevoked':
        return { removed: [kid] };
      case 'KeyPublished':
        return noReferences;
    }
  };
};
