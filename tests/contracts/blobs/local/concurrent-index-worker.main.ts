/** A process that shares an index of blobs with others: opens it repeatedly, or writes until it is stopped. */
import { keyOf, openIndex } from '../../../../infra/adapters/blobs/local/lmdb-index';
import { expectSuccess } from '../suite/store-calls';

const [directory = '', task = '', times = '0'] = process.argv.slice(2);

/** LMDB really opens a file only while this process has no other handle of it. */
const openAgainAndAgain = async (): Promise<void> => {
  for (let left = Number(times); left > 0; left -= 1) await openIndex(directory).close();
  process.send?.('closed');
};

const atOnce = 3;

/** Some share a commit. */
const write = async (): Promise<void> => {
  const index = openIndex(directory);
  let [over, begun, written] = [false, 0, 0];
  process.once('message', () => {
    over = true;
  });
  const writeOnAndOn = async (): Promise<void> => {
    while (!over) {
      const key = keyOf(`${process.pid}/${begun++}`);
      expectSuccess(await index.write(() => index.tables.files.putSync(key, true)));
      written += 1;
    }
  };
  process.send?.({ written });
  await Promise.all(Array.from({ length: atOnce }, writeOnAndOn));
  await index.close();
  process.send?.({ written });
};

(task === 'write' ? write() : openAgainAndAgain()).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
