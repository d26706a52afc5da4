/** A document whose versions are compared, and short ways to write in it. */
import assert from 'node:assert/strict';
import { textFromPlain } from '../../../domain/editor/text/text-content';
import { textBase64 } from '../../../domain/editor/text/text-state';
import { ada } from '../documents/routes/fixture';
import { clientId, stage } from './fixture';

export const node = (number: number): string => `${clientId}:${number}`;
export const rect = { type: 'rect', parentId: null };

interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Page {
  readonly items: readonly Item[];
  readonly counts: object;
  readonly next_cursor: string | null;
}

export const createOperation = (number: number, fields: object = {}) => ({
  type: 'createNode',
  targetIds: [node(number)],
  payload: { nodes: [{ id: node(number), ...rect, orderKey: `a${number}`, properties: {}, ...fields }] },
});
export const setOperation = (number: number, written: object) => ({
  type: 'setProperties',
  targetIds: [],
  payload: { nodes: { [node(number)]: written } },
});
export const textNode = (plain: string) => ({ type: 'text', text: textBase64(textFromPlain(plain)) });

export const startDiffFixture = async () => {
  const all = await stage();
  const document = await all.documents.create();
  const requestDiff = (query: string) => all.request(`GET /v1/documents/${document}/diff?${query}`);
  const page = async (query: string): Promise<Page> => {
    const { status, body } = await requestDiff(query);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as Page;
  };
  return {
    requestDiff,
    page,
    close: all.close,
    write: (some: readonly object[]) => all.write(document, 1, some),
    trash: () => all.documents.request(`POST /v1/documents/${document}/trash`, ada),
  };
};
export type DiffFixture = Awaited<ReturnType<typeof startDiffFixture>>;
