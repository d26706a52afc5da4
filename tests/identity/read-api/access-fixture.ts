/** The query side with all that the examples of access make. */
import type { ViewRow } from '../../../infra/ports/views/view-store';
import { authoritiesProjection } from '../../../projections/identity/authorities/project';
import { clientsProjection } from '../../../projections/identity/clients/project';
import { credentialsProjection } from '../../../projections/identity/credentials/project';
import { grantsProjection } from '../../../projections/identity/grants/project';
import { refreshFamiliesProjection } from '../../../projections/identity/refresh-families/project';
import { securityEventsProjection } from '../../../projections/identity/security-events/project';
import { sessionsProjection } from '../../../projections/identity/sessions/project';
import { signInSettingsProjection } from '../../../projections/identity/sign-in-settings/project';
import { signingKeysProjection } from '../../../projections/identity/signing-keys/project';
import { keysTenant } from '../../../projections/identity/signing-keys/view';
import type { Projection } from '../../../projections/kernel/projection';
import { issued, principalId, registered } from '../examples';
import { eventsOfStory, stories } from '../projections/access-examples';
import { historyOf, rowsAfter } from '../projections/rows';
import { startReadApi } from './fixture';

export type ReadApi = Awaited<ReturnType<typeof startReadApi>>;

/** All rows that the examples make, in the tenant that they are of. */
export const startFilledReadApi = async (): Promise<ReadApi> => {
  const api = await startReadApi();
  const put = async (projection: Projection, events: Parameters<typeof rowsAfter>[1], tenant?: string) => {
    const rows = (await rowsAfter(projection, events, tenant)) as readonly ViewRow[];
    await api.views.write(projection.view, 7n, rows);
  };
  const { session, grant, family, client, policy, key } = stories;
  const given = { type: 'RolesGranted', data: { principalId, roles: ['auditor'] } } as const;
  await put(sessionsProjection, [eventsOfStory(session, 1)]);
  await put(grantsProjection, [eventsOfStory(grant, 1)]);
  await put(refreshFamiliesProjection, [eventsOfStory(family, 2)]);
  await put(clientsProjection, [eventsOfStory(client, 2)]);
  await put(credentialsProjection, [[...eventsOfStory(client, 2), ...historyOf([registered, issued()])]]);
  await put(authoritiesProjection, [
    historyOf([registered, { ...given, data: { ...given.data, roles: ['auditor'] } }]),
  ]);
  await put(signInSettingsProjection, [eventsOfStory(policy)]);
  await put(signingKeysProjection, [eventsOfStory(key, 3)], keysTenant);
  await put(securityEventsProjection, [eventsOfStory(key, 3)], keysTenant);
  return api;
};
