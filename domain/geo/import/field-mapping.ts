/** Which column of a CSV file, or property of GeoJSON features, each field of a place comes from. */
import type { TypeOf } from 'io-ts';
import { listOf, mapOf, nullable, record, text } from '../../kernel/codec';

/**
 * A field of a change: `entity_id`, `version`, `op`, `occurred_at`, a field of the data such as `lat`, a part of the address such as
 * `address.locality`, `attributes.<name>` or `alternative_names.<language>`.
 */
export const MappedField = text('MappedField', {
  maxLength: 100,
  pattern:
    'entity_id|version|op|occurred_at|name|category|lat|lng|hours|rating|rating_count|popularity|status|attribution|address\\.(?:street|locality|region|postal_code|country)|attributes\\.[a-z][a-z0-9_]{0,63}|alternative_names\\.[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*',
  examples: ['address.locality'],
});

const ColumnName = text('ColumnName', { maxLength: 200, examples: ['city'] });

export const FieldMapping = record('FieldMapping', {
  /** Columns that are named as fields need no entry. Null: not even the column that is named so. */
  fields: mapOf('MappedFields', { key: MappedField, value: nullable(ColumnName), most: 100 }),
  /** Where lines have no id: columns whose values together are one. A line whose values change is another place then. */
  entityIdFrom: nullable(listOf('IdentifyingColumns', ColumnName, 8)),
});
export type FieldMapping = TypeOf<typeof FieldMapping>;
