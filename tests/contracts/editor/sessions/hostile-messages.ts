/** Messages of hostile or broken clients with the expected answer: the code of the refusal or of the close. */
import type { writer } from '../../../editor/document-owner/fixture';
import type { Person } from '../../../editor/sessions/fixture';

type Writer = ReturnType<typeof writer>;
type MessageFactory = (write: Writer, documentId: string) => string | Buffer;

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const operationWith = (more: object, [from, to] = ['', '']): MessageFactory => {
  const createMessage: MessageFactory = (write, documentId) => {
    const operation = { ...write.set(write.idOf(1), 'fill', 'red'), documentId, ...more };
    const text = { type: 'operations', documentId, clientSeq: operation.clientSeq, operations: [operation] };
    return JSON.stringify(text).replace(from, to);
  };
  return createMessage;
};

const asAnotherClient: MessageFactory = (_, documentId) => {
  const join = { type: 'join', documentId, lastCommittedVersion: 0, capabilities: ['schema:2'] };
  return JSON.stringify({ ...join, clientId: 'ada0000000' });
};

/** Sent again and again. */
const tooOften: MessageFactory = () => '{"type":"ping"}';

const proto = '"__proto__":{"isAdmin":true}';

export const hostileMessages: readonly (readonly [what: string, createMessage: MessageFactory, answer: RegExp])[] = [
  ['is no JSON', () => '{', /4400/],
  ['is binary', () => Buffer.from([0, 1, 2]), /1003/],
  ['is endless', () => `"${'x'.repeat(3_000_000)}"`, /1009/],
  ['is deep', () => `{"type":"presence","cursor":${nested(100_000)}}`, /malformed.*\/cursor/],
  ['is deep within', operationWith({ payload: { set: { fill: 'deep' } } }, ['"deep"', nested(50_000)]), /malformed/],
  ['names prototypes', operationWith({ payload: 'here' }, ['"here"', `{"set":{${proto}}}`]), /nothing-changes/],
  ['names a prototype beside', operationWith({}, ['"baseVersion"', `${proto},"baseVersion"`]), /target-deleted/],
  ['has numbers for names', operationWith({ opId: 7 }), /malformed/],
  ['has words for numbers', operationWith({ clientSeq: 'one' }), /malformed/],
  ['has fractions for sequences', operationWith({ clientSeq: 1.5 }), /malformed/],
  ['is of another document', operationWith({ documentId: 'another' }), /malformed/],
  ['is of a path', operationWith({ documentId: '../../x' }), /malformed/],
  ['is of a type that nobody knows', operationWith({ type: 'dropTable' }), /malformed/],
  ['has somebody else’s name', operationWith({ opId: 'ada0000000-1' }), /id-foreign/],
  ['joins as somebody else', asAnotherClient, /client-id-taken/],
  ['comes too often', tooOften, /4429/],
];

/** The next thing that is an answer: a refusal, an acknowledgement, or the end. */
export const answerTo = async (
  { client: { socket, closed }, next }: Person,
  sent: string | Buffer,
  times: number,
): Promise<string> => {
  for (let count = 0; count < times; count += 1) socket.send(sent);
  for (;;) {
    const message = await next().catch(() => undefined);
    if (message === undefined) return String((await closed).code);
    if (message.type === 'error' || message.type === 'ack') return JSON.stringify(message);
  }
};
