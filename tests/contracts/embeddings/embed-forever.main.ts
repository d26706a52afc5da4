/** A service that embeds texts until it is killed. */
import { isLeft } from 'fp-ts/Either';
import { openModel } from './model';

const main = async (): Promise<void> => {
  const embedder = await openModel();
  process.send?.('ready');
  for (;;) {
    const vectors = await embedder.embed(new Array<string>(100).fill('the same sentence again '.repeat(20)), {
      kind: 'passage',
    });
    if (isLeft(vectors)) throw new Error(vectors.left.detail);
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
