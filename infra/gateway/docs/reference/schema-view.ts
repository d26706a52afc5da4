/** A JSON Schema as nested lists of fields. */
import type { JsonSchema } from '../../../../domain/kernel/codec';
import { escapeHtml } from '../../html-page';
import type { Schemas } from './document';
import { renderInline } from './prose';

interface Reading {
  readonly schemas: Schemas;
  /** Names of the components around: one that holds itself ends there. */
  readonly within: readonly string[];
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

interface Resolved {
  readonly schema: JsonSchema;
  readonly name: string | undefined;
  readonly reading: Reading;
}

const resolve = (schema: JsonSchema, reading: Reading): Resolved => {
  if (typeof schema.$ref !== 'string') return { schema, name: undefined, reading };
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const found = reading.schemas[name] ?? {};
  if (reading.within.includes(name)) return { schema: { type: found.type }, name, reading };
  return { ...resolve(found, { ...reading, within: [...reading.within, name] }), name };
};

const isNull = (schema: JsonSchema): boolean => schema.type === 'null';
const code = (text: unknown): string => `<code>${escapeHtml(String(text))}</code>`;

const limitsOf = ({ minLength, maxLength, minimum, maximum, pattern, format }: JsonSchema): string => {
  const range = (least: unknown, most: unknown, unit: string): string => {
    const isOpen = most === undefined || most === Number.MAX_SAFE_INTEGER;
    if (isOpen)
      return least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : `at least ${String(least)}${unit}`;
    return least === undefined ? `at most ${String(most)}${unit}` : `${String(least)} to ${String(most)}${unit}`;
  };
  const lengths = maxLength === undefined ? '' : range(minLength, maxLength, ' characters');
  const shape = typeof pattern === 'string' ? `matches ${code(pattern)}` : '';
  return [format === undefined ? '' : escapeHtml(String(format)), range(minimum, maximum, ''), lengths, shape]
    .filter((part) => part !== '')
    .join(', ');
};

const typeText = (schema: JsonSchema, reading: Reading): string => {
  const { schema: found } = resolve(schema, reading);
  if (Array.isArray(found.enum)) return `one of ${found.enum.map((word) => code(JSON.stringify(word))).join(', ')}`;
  if ('const' in found) return code(JSON.stringify(found.const));
  if (found.oneOf !== undefined) return 'object, one of the forms below';
  if (found.anyOf !== undefined)
    return [...new Set(listOf(found.anyOf).map((one) => typeText(one, reading)))].join(' or ');
  if (found.type === 'array') return `list of ${isSchema(found.items) ? typeText(found.items, reading) : 'values'}`;
  return escapeHtml(typeof found.type === 'string' ? found.type : 'any JSON');
};

const fieldView = (name: string, schema: JsonSchema, isRequired: boolean, reading: Reading): string => {
  const { schema: found } = resolve(schema, reading);
  const notes = [limitsOf(found), typeof found.description === 'string' ? renderInline(found.description) : ''];
  const inner = innerView(schema, reading);
  return `<li><code class="field">${escapeHtml(name)}</code> <span class="type">${typeText(schema, reading)}</span>${
    isRequired ? ' <span class="required">required</span>' : ''
  }${notes
    .filter(Boolean)
    .map((note) => ` <span class="note">${note}</span>`)
    .join('')}${inner}</li>`;
};

const fieldsView = ({ properties, required }: JsonSchema, reading: Reading): string => {
  const fields = Object.entries((properties ?? {}) as { readonly [field: string]: JsonSchema });
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  if (fields.length === 0) return '';
  return `<ul class="fields">${fields.map(([name, field]) => fieldView(name, field, isRequired(name), reading)).join('')}</ul>`;
};

/** Each form of a record that has several, by its discriminator. */
const formsView = ({ oneOf, discriminator }: JsonSchema, reading: Reading): string => {
  const by = isSchema(discriminator) ? String(discriminator.propertyName) : '';
  const forms = listOf(oneOf).map((form) => {
    const { schema, reading: inner } = resolve(form, reading);
    const word = (schema.properties as Record<string, JsonSchema> | undefined)?.[by]?.const;
    const summary = word === undefined ? 'Form' : `${escapeHtml(by)}: ${code(JSON.stringify(word))}`;
    return `<details><summary>${summary}</summary>${fieldsView(schema, inner)}</details>`;
  });
  return forms.join('');
};

/** What a value holds; empty where its type is enough. */
const innerView = (schema: JsonSchema, reading: Reading): string => {
  const { schema: found, reading: inner } = resolve(schema, reading);
  if (found.oneOf !== undefined) return formsView(found, inner);
  if (found.anyOf !== undefined)
    return listOf(found.anyOf)
      .filter((one) => !isNull(one))
      .map((one) => innerView(one, inner))
      .join('');
  if (found.type === 'array') return isSchema(found.items) ? innerView(found.items, inner) : '';
  if (found.properties !== undefined) return fieldsView(found, inner);
  return isSchema(found.additionalProperties) ? innerView(found.additionalProperties, inner) : '';
};

export const schemaView = (schema: JsonSchema, schemas: Schemas): string => {
  const reading = { schemas, within: [] };
  const inner = innerView(schema, reading);
  return inner === '' ? `<p class="type">${typeText(schema, reading)}</p>` : inner;
};

/** The type of a parameter, in one line. */
export const typeLine = (schema: JsonSchema, schemas: Schemas): string => {
  const reading = { schemas, within: [] };
  const limits = limitsOf(resolve(schema, reading).schema);
  return `${typeText(schema, reading)}${limits === '' ? '' : `, ${limits}`}`;
};

export const descriptionOf = (schema: JsonSchema, schemas: Schemas): string => {
  const { description } = resolve(schema, { schemas, within: [] }).schema;
  return typeof description === 'string' ? description : '';
};
