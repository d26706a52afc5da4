/**
 * Replays typing that cannot be merged because the text around it is not in the document. Each piece is inserted next
 * to the nearest neighbour that exists, or at the end. Formats are dropped.
 */
import * as Y from 'yjs';
import { decodeBase64 } from '../../../../domain/editor/text/base64';
import { validateUpdate } from '../../../../domain/editor/text/update-validation';

/** Maps replayed characters to their ids in the document. */
export interface ReplayedRange {
  readonly from: Y.ID;
  readonly to: Y.ID;
  readonly length: number;
}

interface TypingReplay {
  readonly text: Y.Text;
  readonly document: Y.Doc;
  readonly known: ReplayedRange[];
}

const clockOf = ({ store }: Y.Doc, client: number): number => Y.getState(store, client);

/** The id of the same character in the document. */
const idIn = ({ document, known }: TypingReplay, id: Y.ID): Y.ID | undefined => {
  const again = known.findLast(
    ({ from, length }) => from.client === id.client && id.clock >= from.clock && id.clock < from.clock + length,
  );
  if (again !== undefined) return Y.createID(again.to.client, again.to.clock + id.clock - again.from.clock);
  return id.clock < clockOf(document, id.client) ? id : undefined;
};

/** Index of a character or of the position behind it; undefined if the document does not contain it. */
const indexOf = (replay: TypingReplay, id: Y.ID | null, side: 'at' | 'behind'): number | undefined => {
  const there = id === null ? undefined : idIn(replay, id);
  if (there === undefined) return undefined;
  const position = new Y.RelativePosition(null, null, there, side === 'at' ? 0 : -1);
  return Y.createAbsolutePositionFromRelativePosition(position, replay.document)?.index;
};

const insert = (replay: TypingReplay, { id, origin, rightOrigin, content }: Y.Item): void => {
  if (!(content instanceof Y.ContentString)) return;
  const { text, document, known } = replay;
  const isFirst = origin === null && rightOrigin === null;
  const index = isFirst ? 0 : (indexOf(replay, origin, 'behind') ?? indexOf(replay, rightOrigin, 'at') ?? text.length);
  const clock = clockOf(document, document.clientID);
  text.insert(index, content.str);
  known.push({ from: id, to: Y.createID(document.clientID, clock), length: content.str.length });
};

const isThere = ({ document }: TypingReplay, id: Y.ID): boolean => !Y.getItem(document.store, id).deleted;

const remove = (replay: TypingReplay, id: Y.ID): void => {
  const there = idIn(replay, id);
  const index = there !== undefined && isThere(replay, there) ? indexOf(replay, id, 'at') : undefined;
  if (index !== undefined) replay.text.delete(index, 1);
};

/** Call within a transaction on the text's document. `known` has the characters replayed before. */
export const replayTyping = (text: Y.Text, update: string, known: ReplayedRange[]): void => {
  const bytes = decodeBase64(update);
  const { doc: document } = text;
  const read = bytes === undefined ? undefined : validateUpdate(bytes);
  if (document === null || bytes === undefined || read === undefined) return;
  const replay: TypingReplay = { text, document, known };
  for (const item of read.items) insert(replay, item);
  for (const [client, ranges] of Y.decodeUpdate(bytes).ds.clients)
    for (const { clock, len } of ranges)
      for (let at = clock; at < clock + len; at += 1) remove(replay, Y.createID(client, at));
};
