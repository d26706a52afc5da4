/** A context whose rows are made of content: papers, and the lines of their text. */
import { createHash } from 'node:crypto';
import * as t from 'io-ts';
import { integer, record, text } from '../../../domain/kernel/codec';
import { aggregate } from '../../../domain/kernel/family';
import type { NewEvent } from '../../../infra/ports/event-store';
import type { TableView } from '../../../infra/ports/views/view-store';
import { type ContentReference, rowsFromJson } from '../../../projections/kernel/content';
import { type Projection, projection, removeRow, streamsOf } from '../../../projections/kernel/projection';
import { table } from '../../../projections/kernel/view';

const PaperId = text('PaperId', { maxLength: 64 });

const papers = aggregate(
  { context: 'papers', name: 'paper' },
  {
    PaperRead: { v: 1, data: { paperId: PaperId, key: t.string, sha256: t.string, size: integer(0) } },
    PaperShredded: { v: 1, data: { paperId: PaperId } },
  },
);
type PaperEvent = typeof papers.Event;

const LineRow = record('LineRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  paperId: PaperId,
  line: integer(0),
  text: t.string,
  revision: integer(0),
});
export type LineRow = t.TypeOf<typeof LineRow>;

const Paper = record('Paper', { lines: t.array(t.string) });

export const linesView = (name: string): TableView<LineRow> =>
  table({ name, version: 1, row: LineRow, content: true, key: ['tenantId', 'paperId', 'line'] });

export const linesProjection = (view: TableView<LineRow>): Projection =>
  projection(view, [
    streamsOf(papers, {
      PaperRead: ({ data: { paperId, ...reference }, at }) =>
        rowsFromJson(reference, Paper, {
          rows: ({ lines }) =>
            lines.map((text, line) => ({ kind: 'put', row: { paperId, line, text, ...at } }) as const),
          missing: [],
        }),
      PaperShredded: ({ data, at }) => removeRow<LineRow>({ tenantId: at.tenantId, paperId: data.paperId, line: 0 }),
    }),
  ]);

/** Where missing content is damage as well. */
export const strictLinesProjection = (view: TableView<LineRow>): Projection =>
  projection(view, [
    streamsOf(papers, {
      PaperRead: ({ data: { paperId, ...reference }, at }) =>
        rowsFromJson(reference, Paper, {
          rows: ({ lines }) =>
            lines.map((text, line) => ({ kind: 'put', row: { paperId, line, text, ...at } }) as const),
        }),
      ignored: ['PaperShredded'],
    }),
  ]);

export const paperStream = (id: string, tenant = 'acme'): string => `papers.paper-${tenant}.${id}`;

export const paperContent = (lines: readonly string[]): Buffer => Buffer.from(JSON.stringify({ lines }));

export const referenceTo = (key: string, bytes: Buffer): ContentReference => ({
  key,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});

let made = 0;

export const newPaperEvent = (event: PaperEvent): NewEvent => {
  made += 1;
  return {
    id: `10000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    ...papers.encode(event),
    metadata: {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: `paper-${made}`,
      commandHash: 'h',
      tenant: 'acme',
      actor: 'system:test',
      at: '2026-01-31T12:00:00.000Z',
    },
  };
};
