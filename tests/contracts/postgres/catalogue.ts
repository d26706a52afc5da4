/** What a schema of Postgres is made of, as text that can be compared. */
import type { Pool } from 'pg';

const text = `
  select format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
      coalesce(pg_get_expr(d.adbin, d.adrelid), a.attidentity::text)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = $1::text::regnamespace and c.relkind = 'r'
  union all select format('index %s', indexdef) from pg_indexes where schemaname = $1::text
  union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = $1::text::regnamespace
  union all select format('sequence %s', relname) from pg_class where relnamespace = $1::text::regnamespace and relkind = 'S'
  order by 1`;

export const catalogueOf = async (pool: Pool, schema: string): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ line: string }>(text, [schema]);
  return rows.map(({ line }) => line);
};
