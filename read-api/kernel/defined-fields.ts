/** Drops undefined fields: an absent filter matches everything. */
type DefinedFields<Fields> = { readonly [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

export const definedFields = <Fields extends object>(fields: Fields): DefinedFields<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<Fields>;
