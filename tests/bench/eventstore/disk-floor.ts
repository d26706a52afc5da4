/** What the disk alone allows: the same bytes put into LMDB and committed, in one process and without any rules. */
import {
  eventKey,
  openTables,
  positionKey,
  type Tables,
} from '../../../packages/eventstore-node/src/storage/lmdb-tables';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { rate } from '../measure';
import { cannedRecord } from './events';

const putter = ({ log, events }: Tables): ((count: number) => void) => {
  let next = 0;
  return (count) => {
    for (let put = 0; put < count; put += 1) {
      log.putSync(positionKey(next), cannedRecord);
      events.putSync(eventKey(1, next), positionKey(next));
      next += cannedRecord.length;
    }
  };
};

/** Events per second, that many to a commit. */
export const diskFloor = async (commits: number, perCommit: number): Promise<number> => {
  const data = temporaryDirectory('bench-floor');
  const tables = openTables(data.path);
  const put = putter(tables);
  const commit = (): void => tables.root.transactionSync(() => put(perCommit));
  for (let warm = 0; warm < 20; warm += 1) commit();
  const events = await rate(commits * perCommit, async () => {
    for (let done = 0; done < commits; done += 1) commit();
  });
  await tables.root.close();
  data.remove();
  return events;
};
