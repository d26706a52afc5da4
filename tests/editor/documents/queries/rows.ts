/** The rows of a view after some events, as far as a test looks at them. */
import type { Projection } from '../../../../projections/kernel/projection';
import { rowsAfter } from '../../../identity/projections/rows';
import { historyOf } from '../recorded';

export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = async (projection: Projection, events: Parameters<typeof historyOf>[0], tenant = 'acme') =>
  (await rowsAfter(projection, [historyOf(events)], tenant)) as readonly Row[];
export const only = (rows: readonly Row[], ...fields: string[]) => rows.map((row) => fields.map((field) => row[field]));
