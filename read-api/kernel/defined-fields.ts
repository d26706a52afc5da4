/** The fields that have a value: a filter that was not given filters nothing. */
type DefinedFields<Fields> = { readonly [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

export const definedFields = <Fields extends object>(fields: Fields): DefinedFields<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<Fields>;
