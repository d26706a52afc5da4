/** Batches calls of one turn of the event loop, and calls that arrive while others are under way. */

export const createBatcher = <Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
): ((item: Item) => Promise<Answer>) => {
  let waiting: { readonly item: Item; readonly resolve: (answer: Answer) => void }[] = [];
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const answers = await send(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    }
    isSending = false;
  };
  return (item) =>
    new Promise((resolve) => {
      waiting.push({ item, resolve });
      if (isSending) return;
      isSending = true;
      setImmediate(() => void sendAll());
    });
};
