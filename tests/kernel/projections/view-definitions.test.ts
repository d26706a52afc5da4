/** Columns and mappings of views derive from their row codecs, and stay as they are for as long as a view has the same version. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { contexts } from '../../../domain/contexts';
import { finite, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { FieldMapping } from '../../../infra/ports/views/index-definition';
import type { View } from '../../../infra/ports/views/view-store';
import { projections } from '../../../projections/composition/projections';
import { index, table } from '../../../projections/kernel/view';

type Definitions = { readonly [view: string]: { readonly [field: string]: string } };

const historyFolder = join(__dirname, '..', '..', 'history');

/** The columns and mappings of a context's views as they are stored. To change one, raise the view's version. */
const pinnedDefinitions = (context: string): Definitions => {
  const path = join(historyFolder, `${context}.views.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Definitions) : {};
};

const mappingText = ({ type, ...more }: FieldMapping): string => {
  if (type === 'object') return `${type} (not indexed)`;
  return Object.keys(more).length === 0 ? type : `${type} ${JSON.stringify(more)}`;
};

const fieldTypes = (view: View): { readonly [field: string]: string } => {
  if (view.store === 'postgres') return view.columns;
  if (view.store === 'elastic')
    return {
      ...Object.fromEntries(Object.entries(view.mappings).map(([field, mapping]) => [field, mappingText(mapping)])),
      ...(view.settings === undefined ? {} : { '(settings)': JSON.stringify(view.settings) }),
    };
  return {};
};

const definitionsOf = (context: string): Definitions =>
  Object.fromEntries(
    projections
      .filter(({ view }) => view.name.startsWith(`${context}_`))
      .map(({ view }) => [`${view.name} v${view.version} (${view.store})`, fieldTypes(view)]),
  );

const rule = { name: 'test_rules', version: 1, key: ['tenantId'] as const };
const rowFields = { tenantId: text('TenantId', { maxLength: 63 }), revision: integer(0) };

describe('definitions of views', () => {
  for (const { name } of contexts)
    it(`are those of tests/history/${name}.views.json`, () =>
      assert.deepEqual(definitionsOf(name), pinnedDefinitions(name)));

  it('have names that begin with their context', () => {
    const prefixes = contexts.map(({ name }) => `${name}_`);
    const names = projections.map(({ view }) => view.name);
    assert.deepEqual(
      names.filter((view) => !prefixes.some((prefix) => view.startsWith(prefix))),
      [],
    );
  });

  it('take what a view names in place of what its row codec says', () => {
    const own = { position: nullable(t.string), tags: t.array(t.string), share: finite, vector: t.array(finite) };
    const Row = record('RuleRow', { ...rowFields, ...own });
    const { columns } = table({ ...rule, row: Row, columns: { position: 'bigint' } });
    const tenant = { tenantId: 'text', revision: 'integer' };
    const given = { position: 'bigint', tags: 'text[]', share: 'double precision', vector: 'jsonb' };
    assert.deepEqual(columns, { ...tenant, ...given });
    const vector = { type: 'dense_vector', dims: 2, similarity: 'cosine' } as const;
    const { mappings } = index({ ...rule, row: Row, mappings: { tags: { type: 'text' }, vector } });
    assert.deepEqual(
      [mappings.position, mappings.tags, mappings.share, mappings.vector],
      [{ type: 'keyword' }, { type: 'text' }, { type: 'double' }, vector],
    );
  });

  it('have the same column for an array that is read only', () => {
    const Row = record('RuleRow', { ...rowFields, tags: t.readonlyArray(t.string), rules: t.readonlyArray(t.boolean) });
    const { columns } = table({ ...rule, row: Row });
    assert.deepEqual([columns.tags, columns.rules], ['text[]', 'jsonb']);
  });

  it('are refused for a field from which no column follows', () => {
    const Row = record('RuleRow', { ...rowFields, share: t.unknown });
    assert.throws(() => table({ ...rule, row: Row }), /no column follows from unknown/);
  });
});
