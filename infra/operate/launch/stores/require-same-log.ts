/** Refuses to start on another log than the one that the database knows, before any process does anything with it. */
import { isLeft } from 'fp-ts/Either';
import { openLogAnchors } from '../../../adapters/eventstore/log-anchors';
import { openLogRecord } from '../../../adapters/postgres/log-record';
import { identifyLog, logAddress } from '../../../server/log-identity/identify-log';
import { OperatorError } from '../operator-error';

/** The processes check a store that cannot be reached now, once it can. */
export const requireSameLog = async (stores: Readonly<Record<string, string>>): Promise<void> => {
  const { EVENTSTORE_URL: eventStoreUrl, POSTGRES_URL: postgresUrl } = stores;
  if (eventStoreUrl === undefined || postgresUrl === undefined) return;
  const [record, anchors] = [openLogRecord({ url: postgresUrl }), openLogAnchors(eventStoreUrl)];
  try {
    const found = await identifyLog({ record, anchors, address: logAddress(eventStoreUrl) });
    if (isLeft(found) && found.left.code === 'another-log') throw new OperatorError(found.left.detail);
  } finally {
    await Promise.all([record.close(), anchors.close()]);
  }
};
