/** What every row of a view has, and how some of them are asked for. */
export type Scalar = string | number | boolean | null;

/** Every row of every view belongs to a tenant and says which event last changed it. */
export interface ViewRow {
  readonly tenantId: string;
  /** Of the stream's event that last changed the row. */
  readonly revision: number;
}

export interface PageRequest<Row extends ViewRow = ViewRow> {
  readonly where: { readonly [Field in keyof Row & string]?: Scalar | readonly Scalar[] };
  /** Inclusive lower and exclusive upper bounds. */
  readonly between?: { readonly field: keyof Row & string; readonly from?: Scalar; readonly to?: Scalar };
  /** Full text over the given fields; Elasticsearch only. */
  readonly search?: { readonly text: string; readonly fields: readonly (keyof Row & string)[] };
  /** Somewhere in a text, as written; Postgres only, which reads every row of the tenant for it. */
  readonly contains?: { readonly field: keyof Row & string; readonly text: string };
  /** A total order: ends with a unique field. */
  readonly order: readonly { readonly field: keyof Row & string; readonly direction: 'asc' | 'desc' }[];
  /** The order fields of the row before the page. */
  readonly after?: readonly Scalar[];
  readonly limit: number;
}
